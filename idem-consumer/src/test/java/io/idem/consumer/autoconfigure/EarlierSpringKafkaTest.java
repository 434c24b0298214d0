package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.ContractConfiguration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ShareKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultShareConsumerFactory;

/**
 * The refusal of share groups with the spring-kafka of Spring Boot 4.0, where {@code .ci/versions} runs it. No broker is
 * needed to know.
 */
@Tag("earlier")
class EarlierSpringKafkaTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues("spring.kafka.listener.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {}

    static class Share {

        @Bean
        static ShareKafkaListenerContainerFactory<String, String> shares() {
            return new ShareKafkaListenerContainerFactory<>(
                    new DefaultShareConsumerFactory<>(Map.of("bootstrap.servers", "localhost:9092")));
        }

        @KafkaListener(topics = "topic", groupId = "group", containerFactory = "shares")
        @IdempotentListener(scope = "payments")
        void on(String body) {}
    }

    @Test
    void aShareGroupOnTheSpringKafkaOfSpringBoot40IsRefused() {
        runner.withUserConfiguration(Share.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(Stream.<@Nullable Throwable>iterate(
                            context.getStartupFailure(), Objects::nonNull, Throwable::getCause))
                    .anySatisfy(refusal -> assertThat(refusal)
                            .isInstanceOf(ListenerConfigurationException.class)
                            .hasMessageContainingAll("Share.on", "spring-kafka 4.0.", "Spring Boot 4.1"));
        });
    }
}
