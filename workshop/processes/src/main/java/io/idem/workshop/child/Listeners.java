package io.idem.workshop.child;

import io.idem.consumer.IdempotentListener;
import io.idem.servers.process.ParentWatch;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;

/**
 * Small applications without a web server, each with a mistake that is detected at start-up. The queue and topic need
 * not exist.
 */
public final class Listeners {

    private Listeners() {}

    /** Starts an application, which should be refused. */
    public static void main(String[] arguments) throws ClassNotFoundException {
        ParentWatch.haltWithParent();
        Class<?> listener = Class.forName(Listeners.class.getName() + "$" + arguments[0]);
        new SpringApplicationBuilder(AutoConfigured.class, listener)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "spring.application.name=mistaken")
                .run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class AutoConfigured {}

    static class OnRabbit {
        @RabbitListener(queues = "mistaken", autoStartup = "false")
        @IdempotentListener(scope = "mistaken")
        void handle(String message) {
            System.out.println(message);
        }
    }

    static class OnKafka {
        @KafkaListener(topics = "mistaken", groupId = "mistaken", autoStartup = "false")
        @IdempotentListener(scope = "mistaken")
        void handle(String message) {
            System.out.println(message);
        }
    }

    static class ScopeTwice extends OnRabbit {
        @RabbitListener(queues = "mistaken", autoStartup = "false")
        @IdempotentListener(scope = "mistaken")
        void handleToo(String message) {
            System.out.println(message);
        }
    }

    static class FinalMethod {
        @RabbitListener(queues = "mistaken", autoStartup = "false")
        @IdempotentListener(scope = "mistaken")
        final void handle(String message) {
            System.out.println(message);
        }
    }

    static class PrivateMethod {
        @RabbitListener(queues = "mistaken", autoStartup = "false")
        @IdempotentListener(scope = "mistaken")
        @SuppressWarnings("unused")
        private void handle(String message) {
            System.out.println(message);
        }
    }
}
