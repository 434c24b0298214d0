package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.servers.spring.RabbitOfBoot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;

/** An application that has a broker's client on its class path and wants nothing of it. */
@Tag("extended")
class ExcludedBrokersTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        InMemoryIdempotencyStore store() {
            return new InMemoryIdempotencyStore();
        }
    }

    private static ConfigurableApplicationContext startedWithout(String autoConfiguration) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application.run(
                "--spring.autoconfigure.exclude=" + autoConfiguration,
                "--idem.consumer.reply-headers=true",
                "--spring.rabbitmq.publisher-returns=true",
                "--spring.rabbitmq.publisher-confirm-type=correlated");
    }

    @Test
    void anApplicationThatExcludesKafkaGetsNoTemplateForIt() {
        try (var context = startedWithout("org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")) {
            assertThat(context.getBeanNamesForType(KafkaTemplate.class)).isEmpty();
            assertThat(context.getBeanNamesForType(RabbitTemplate.class)).hasSize(1);
        }
    }

    @Test
    void anApplicationThatExcludesRabbitMqGetsNoTemplateForIt() {
        try (var context = startedWithout(RabbitOfBoot.autoConfiguration().getName())) {
            assertThat(context.getBeanNamesForType(RabbitTemplate.class)).isEmpty();
            assertThat(context.getBeanNamesForType(KafkaTemplate.class)).hasSize(1);
        }
    }
}
