package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.ContractConfiguration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
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
 * Refusals of the libraries that Spring Boot 4.0 brings, under those libraries: see {@code .ci/versions}. No broker is
 * needed to know.
 */
@Tag("earlier")
class EarlierLibrariesTest {

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

    private static Predicate<@Nullable Throwable> refusalThatNames(String... words) {
        return failure -> Stream.<@Nullable Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(ListenerConfigurationException.class::isInstance)
                .anyMatch(refusal -> Stream.of(words)
                        .allMatch(Objects.requireNonNull(refusal).toString()::contains));
    }

    @Test
    void theSpringAmqpOfSpringBoot40IsRefused() {
        runner.run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .matches(refusalThatNames("spring-amqp 4.0.", "spring-amqp.version to 4.1.2"), "names the remedy");
        });
    }

    @Test
    void aShareGroupOnTheSpringKafkaOfSpringBoot40IsRefused() {
        runner.withUserConfiguration(Share.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .matches(refusalThatNames("Share.on", "spring-kafka 4.0.", "Spring Boot 4.1"), "names the remedy");
        });
    }
}
