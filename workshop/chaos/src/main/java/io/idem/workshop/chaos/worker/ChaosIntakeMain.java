package io.idem.workshop.chaos.worker;

import io.idem.servers.process.ParentWatch;
import io.idem.workshop.child.TripwireConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Main class of the intake, with failpoints. The settings define its routes. */
public final class ChaosIntakeMain {

    /** Scope of the intake. */
    public static final String SCOPE = "http.chaos-intake";

    private ChaosIntakeMain() {}

    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(Intake.class)
                .properties("spring.main.banner-mode=off", "spring.application.name=chaos-intake")
                .run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({
        TripwireConfiguration.class,
        Watching.class,
        Telling.class,
        StandingStill.class,
        Vitals.class,
        EarlyConfirms.class
    })
    static class Intake {}
}
