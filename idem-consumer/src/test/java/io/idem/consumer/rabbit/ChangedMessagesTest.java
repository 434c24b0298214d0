package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ContractConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.support.postprocessor.DelegatingDecompressingPostProcessor;
import org.springframework.amqp.support.postprocessor.GUnzipPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Containers that change a message before idem may publish a copy of it. No broker is needed. */
@ExtendWith(OutputCaptureExtension.class)
class ChangedMessagesTest {

    private static final String[] DELAY_QUEUE = {"idem.consumer.rabbit.deferral.strategy=delay-queue"};
    private static final String[] DEAD_LETTERS = {
        "idem.consumer.rabbit.dead-letter.exchange=",
        "idem.consumer.rabbit.dead-letter.routing-key=dead",
        "spring.rabbitmq.publisher-confirm-type=correlated",
        "spring.rabbitmq.publisher-returns=true"
    };

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues("spring.rabbitmq.listener.simple.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {

        @Bean
        ContainerCustomizer<SimpleMessageListenerContainer> changing(MessagePostProcessor change) {
            return container -> container.setAfterReceivePostProcessors(change);
        }

        @RabbitListener(queues = "orders")
        @IdempotentListener(scope = "orders")
        void on(String body) {}
    }

    private ApplicationContextRunner with(MessagePostProcessor change) {
        return runner.withBean(MessagePostProcessor.class, () -> change);
    }

    private static void assertRefused(ApplicationContextRunner runner, String copies, String remedy) {
        runner.run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .hasStackTraceContaining("@IdempotentListener Application.on is listened to")
                .hasStackTraceContaining("afterReceivePostProcessors: " + copies)
                .hasStackTraceContaining(remedy));
    }

    @Test
    void aDelayedCopyOfAChangedMessageIsRefused() {
        assertRefused(
                with(message -> message).withPropertyValues(DELAY_QUEUE), "delayed copies", "wait-then-redeliver");
        assertRefused(
                with(new GUnzipPostProcessor(true)).withPropertyValues(DELAY_QUEUE),
                "delayed copies",
                "message converter");
    }

    @Test
    void aDeadLetterOfAChangedMessageIsWarnedOf(CapturedOutput log) {
        with(message -> message)
                .withPropertyValues(DEAD_LETTERS)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(log)
                .containsOnlyOnce("@IdempotentListener Application.on is listened to by a container with"
                        + " afterReceivePostProcessors: dead letters of its messages");
    }

    @Test
    void aChangeThatIsNotPublishedOrThatMarksTheMessageIsNot(CapturedOutput log) {
        with(message -> message).run(context -> assertThat(context).hasNotFailed());
        for (MessagePostProcessor change :
                new MessagePostProcessor[] {new GUnzipPostProcessor(), new DelegatingDecompressingPostProcessor()}) {
            with(change)
                    .withPropertyValues(DEAD_LETTERS)
                    .run(context -> assertThat(context).hasNotFailed());
        }
        assertThat(log).doesNotContain("afterReceivePostProcessors");
    }
}
