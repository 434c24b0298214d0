package io.idem.workshop.child;

import io.idem.servers.process.ParentWatch;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with a tripwire and without listeners, whose endpoint operators use. */
public final class OperatorMain {

    private OperatorMain() {}

    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(AutoConfigured.class, TripwireConfiguration.class)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.application.name=operator",
                        "management.endpoints.web.exposure.include=idempotency",
                        "management.endpoint.idempotency.access=unrestricted")
                .run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class AutoConfigured {

        @Bean
        static BeanPostProcessor connections(Tripwire tripwire) {
            return new ConnectionsWithTripwire(tripwire);
        }
    }
}
