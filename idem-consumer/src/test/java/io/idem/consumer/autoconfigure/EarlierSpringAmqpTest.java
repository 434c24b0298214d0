package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.ContractConfiguration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The refusal of the spring-amqp of Spring Boot 4.0, where {@code .ci/versions} runs it. No broker is needed to know.
 */
@Tag("earlier")
class EarlierSpringAmqpTest {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(Application.class);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {}

    @Test
    void theSpringAmqpOfSpringBoot40IsRefused() {
        runner.run(context -> {
            assertThat(context).hasFailed();
            assertThat(Stream.<@Nullable Throwable>iterate(
                            context.getStartupFailure(), Objects::nonNull, Throwable::getCause))
                    .anySatisfy(refusal -> assertThat(refusal)
                            .isInstanceOf(ListenerConfigurationException.class)
                            .hasMessageContainingAll("spring-amqp 4.0.", "spring-amqp.version to 4.1.2"));
        });
    }
}
