package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.ContractConfiguration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Applications that do not start. No broker is needed to know. */
final class Refusals {

    private Refusals() {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {}

    /** An application whose containers do not start. */
    static ApplicationContextRunner application(Class<?>... sources) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withUserConfiguration(sources)
                .withPropertyValues(
                        "spring.rabbitmq.listener.simple.auto-startup=false",
                        "spring.kafka.listener.auto-startup=false");
    }

    static void assertRefused(ApplicationContextRunner application, String... words) {
        application.run(context -> {
            assertThat(context).hasFailed();
            assertThat(refusal(context.getStartupFailure()).getMessage()).contains(words);
        });
    }

    static ListenerConfigurationException refusal(@Nullable Throwable failure) {
        return Stream.<@Nullable Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(ListenerConfigurationException.class::isInstance)
                .map(ListenerConfigurationException.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("refused for another reason", failure));
    }
}
