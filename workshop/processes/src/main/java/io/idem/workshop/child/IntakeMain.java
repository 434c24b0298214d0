package io.idem.workshop.child;

import io.idem.demo.intake.IntakeApplication;
import io.idem.servers.process.ParentWatch;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The intake of the demo with a tripwire. */
public final class IntakeMain {

    private IntakeMain() {}

    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(IntakeApplication.class, TripwireConfiguration.class)
                .properties(IntakeApplication.SETTINGS)
                .run(arguments);
    }
}
