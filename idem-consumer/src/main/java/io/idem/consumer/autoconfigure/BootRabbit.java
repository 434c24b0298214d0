package io.idem.consumer.autoconfigure;

/** Boot's support for RabbitMQ by its names: Spring Boot 4.2 moved it to another module and package. */
final class BootRabbit {

    static final String AUTO_CONFIGURATION = "org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration";
    static final String EARLIER_AUTO_CONFIGURATION =
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration";

    private BootRabbit() {}
}
