package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.servers.junit.RequiresRabbitMq;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;

/** Streams that only their messages give away: nobody works on what could not be given back. */
class RabbitStreamTest extends RabbitScenario {

    private void sendTo(String queue) {
        app().template()
                .convertAndSend(
                        "",
                        queue,
                        "one",
                        message -> RabbitApplication.withHeaders(
                                message, Map.of(IdempotencyHeaders.KEY, "k1", "x-stream-offset", 7L)));
    }

    private void assertStopsBeforeAnyWork() {
        awaitUntil(() -> app().bean(RabbitListenerEndpointRegistry.class).getListenerContainers().stream()
                .noneMatch(MessageListenerContainer::isRunning));
        assertThat(script().calls()).isEmpty();
        assertThat(store().asked()).isZero();
        assertThat(app().bean(ListenerStops.class).reasons())
                .singleElement()
                .asString()
                .contains("stream", "quorum queue", "x-queue-type");
    }

    private void assertStopped(Class<?> listener, String... settings) {
        launch(listener, settings);

        sendTo(app().name() + ".payments");

        assertStopsBeforeAnyWork();
    }

    /** As of a stream whose type comes from its virtual host. */
    @Test
    void aMessageWithAnOffsetStopsItsContainerBeforeAnyWork() {
        assertStopped(Single.class);
    }

    @Test
    @Tag("extended")
    void aMessageWithAnOffsetStopsContainersOfOtherModesToo() {
        assertStopped(Single.class, MANUAL);
        close();
        assertStopped(Batches.class, "spring.rabbitmq.listener.simple.consumer-batch-enabled=true");
    }

    @Test
    @Tag("extended")
    @RequiresRabbitMq
    void aCopyFromAStreamRunsInAQueueThatTheApplicationDeclaresWithItsType() {
        launch(OnTypedQueue.class);
        try {
            sendTo(app().name() + ".typed");
            awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        } finally {
            app().bean(RabbitAdmin.class).deleteQueue(app().name() + ".typed");
        }
    }

    @Test
    @RequiresRabbitMq
    void aStreamThatNobodyDeclaredHereStopsItsContainerBeforeAnyWork() {
        launch(OnStream.class);
        String stream = app().name() + ".stream";
        app().bean(RabbitAdmin.class)
                .declareQueue(QueueBuilder.durable(stream).stream().build());
        try {
            app().bean(RabbitListenerEndpointRegistry.class)
                    .getListenerContainers()
                    .forEach(MessageListenerContainer::start);
            // A consumer of a stream gets what is published after its start, and the broker does not count it.
            awaitUntil(() -> {
                sendTo(stream);
                return !app().bean(ListenerStops.class).reasons().isEmpty();
            });
            assertStopsBeforeAnyWork();
        } finally {
            app().bean(RabbitListenerEndpointRegistry.class).stop();
            app().bean(RabbitAdmin.class).deleteQueue(stream);
        }
    }

    static class Single {

        private final ListenerScript script;

        Single(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }
    }

    static class Batches {

        private final ListenerScript script;

        Batches(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments", batch = "true")
        @IdempotentListener(scope = PAYMENTS)
        void pay(List<String> bodies, List<IdempotencyContext> contexts) throws Exception {
            script.run(PAYMENTS, bodies.get(0), contexts.get(0));
        }
    }

    static class OnTypedQueue {

        private final ListenerScript script;

        OnTypedQueue(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.typed")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }

        @Bean
        static Queue typed(@Value("${test.name}") String name) {
            return new Queue(name + ".typed", true, false, false, Map.of("x-queue-type", "classic"));
        }
    }

    static class OnStream {

        private final ListenerScript script;

        OnStream(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.stream", autoStartup = "false")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }
    }
}
