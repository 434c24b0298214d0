package io.idem.workshop.child;

import io.idem.demo.consumer.ConsumerApplication;
import io.idem.servers.process.ParentWatch;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The consumers of the demo with a tripwire. */
public final class WorkerMain {

    private WorkerMain() {}

    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(
                        ConsumerApplication.class,
                        TripwireConfiguration.class,
                        LedgerReconciler.class,
                        CutHandshakes.class)
                .properties("spring.config.name=consumer")
                .run(arguments);
    }

    /**
     * Keeps containers running after a connection is cut during its handshake, which looks like a refused password and
     * stops them by default.
     */
    @Configuration(proxyBeanMethods = false)
    static class CutHandshakes {

        @Bean
        ContainerCustomizer<SimpleMessageListenerContainer> goOnAfterCutHandshakes() {
            return container -> container.setPossibleAuthenticationFailureFatal(false);
        }
    }
}
