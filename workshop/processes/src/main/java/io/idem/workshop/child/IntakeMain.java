package io.idem.workshop.child;

import io.idem.demo.intake.IntakeApplication;
import io.idem.servers.process.ParentWatch;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The demo's intake with a tripwire. */
public final class IntakeMain {

    private IntakeMain() {}

    /** Starts the intake. */
    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(IntakeApplication.class, TripwireConfiguration.class)
                .properties(IntakeApplication.SETTINGS)
                .run(arguments);
    }
}
