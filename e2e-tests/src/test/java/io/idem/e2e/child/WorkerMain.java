package io.idem.e2e.child;

import io.idem.demo.consumer.ConsumerApplication;
import io.idem.servers.process.ParentWatch;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The demo's consumers with a tripwire. */
public final class WorkerMain {

    private WorkerMain() {}

    /** Starts them. */
    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(ConsumerApplication.class, TripwireConfiguration.class, LedgerReconciler.class)
                .properties("spring.config.name=consumer")
                .run(arguments);
    }
}
