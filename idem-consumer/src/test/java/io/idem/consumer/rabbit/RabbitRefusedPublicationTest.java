package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.FOR_BOTH;
import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.NoHold;
import io.idem.servers.junit.RequiresRabbitMq;
import io.idem.servers.spring.RabbitOfBoot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;

/**
 * A queue to which idempotent work publishes by its name is missing, for longer than an effect that cannot be recorded is held: the
 * deliveries stay where they are, and no effect is repeated.
 */
class RabbitRefusedPublicationTest extends RabbitScenario {

    /** More publications than there are before the first hold is over. */
    private static final int MANY = 8;

    @Test
    void aSingleMessageAndABatchAreHeldUntilTheQueueIsThere() {
        heldUntilTheQueueIsThere(SingleAndBatch.class);
    }

    @Test
    @Tag("extended")
    void aListenerThatAcknowledgesAndOneThatEndsLaterAreHeldToo() {
        heldUntilTheQueueIsThere(ManualAndAsync.class);
    }

    /** The next message is in it, and its only consumer takes that one when it is done with the first. */
    @ParameterizedTest
    @ValueSource(strings = {"AUTO", "MANUAL"})
    @RequiresRabbitMq
    void aCopyToTheListenersOwnFullQueueIsNotWaitedFor(String mode) {
        launch(Later.class, "spring.rabbitmq.listener.simple.prefetch=1", "test.mode=" + mode);
        Later later = app().bean(Later.class);
        later.send("k1", "one");
        awaitUntil(() -> later.calls().size() == 1);
        later.send("k2", "two");
        awaitUntil(() -> app().ready("full") == 1);

        later.go();

        awaitUntil(() -> later.calls().size() == 3);
        assertThat(later.calls()).containsExactly("one", "one", "two");
    }

    private void heldUntilTheQueueIsThere(Class<?> listeners) {
        launch(List.of(listeners, NoHold.class, Returned.class), "idem.lease=1s");
        String later = app().name() + ".later";

        send("k1", FOR_BOTH + " one");
        awaitUntil(() -> app().bean(Returned.class).number() >= 2 * MANY);

        assertThat(log().withoutDeliveries()).containsExactly(EventLog.WORK, EventLog.WORK);
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(2);
        app().bean(RabbitAdmin.class).declareQueue(new Queue(later));
        try {
            awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
            assertThat(log().count(EventLog.WORK)).isEqualTo(2);
            assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
            app().awaitMessage("later");
            app().awaitMessage("later");
        } finally {
            app().bean(RabbitAdmin.class).deleteQueue(later);
        }
    }

    /** Sends its first message back. */
    static class Later {

        private final List<String> calls = new CopyOnWriteArrayList<>();
        private final CountDownLatch full = new CountDownLatch(1);
        private final RabbitTemplate template;
        private final String queue;
        private final String mode;

        Later(RabbitTemplate template, @Value("${test.name}") String name, @Value("${test.mode}") String mode) {
            this.template = template;
            this.queue = name + ".full";
            this.mode = mode;
        }

        void send(String key, String body) {
            template.convertAndSend(
                    "",
                    queue,
                    body,
                    message -> RabbitApplication.withHeaders(message, Map.of(IdempotencyHeaders.KEY, key)));
        }

        List<String> calls() {
            return calls;
        }

        void go() {
            full.countDown();
        }

        @Bean
        static Queue small(@Value("${test.name}") String name) {
            return QueueBuilder.nonDurable(name + ".full")
                    .autoDelete()
                    .maxLength(1)
                    .overflow(QueueBuilder.Overflow.rejectPublish)
                    .build();
        }

        @RabbitListener(queues = "${test.name}.full", ackMode = "${test.mode}")
        @IdempotentListener(scope = PAYMENTS)
        void on(Message message, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) throws Exception {
            calls.add(new String(message.getBody(), StandardCharsets.UTF_8));
            full.await();
            if (calls.size() == 1) {
                template.send("", queue, message);
            }
            if (mode.equals("MANUAL")) {
                channel.basicAck(tag, false);
            }
        }
    }

    /** Counts what the broker returned. */
    static class Returned {

        private final List<String> bodies = new CopyOnWriteArrayList<>();

        int number() {
            return bodies.size();
        }

        @Bean
        static BeanDefinitionRegistryPostProcessor counting(ObjectProvider<Returned> returned) {
            return RabbitOfBoot.templateCustomizer(template -> template.setReturnsCallback(message ->
                    returned.getObject().bodies.add(message.getMessage().toString())));
        }
    }

    /** Publishes to a queue that is not there yet. */
    abstract static class Publishing {

        private final EventLog log;
        private final RabbitTemplate template;
        private final String queue;

        Publishing(EventLog log, RabbitTemplate template, String name) {
            this.log = log;
            this.template = template;
            this.queue = name + ".later";
        }

        void work() {
            log.note(EventLog.WORK);
            template.convertAndSend("", queue, "published");
        }
    }

    static class SingleAndBatch extends Publishing {

        SingleAndBatch(EventLog log, RabbitTemplate template, @Value("${test.name}") String name) {
            super(log, template, name);
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body) {
            work();
        }

        @RabbitListener(queues = "${test.name}.receipts", containerFactory = "batching")
        @IdempotentListener(scope = RECEIPTS)
        void receipts(List<String> bodies, List<IdempotencyContext> contexts) throws Exception {
            for (IdempotencyContext context : contexts) {
                context.call(() -> {
                    work();
                    return true;
                });
            }
        }

        @Bean
        static SimpleRabbitListenerContainerFactory batching(ConnectionFactory connections, BeanFactory beans) {
            SimpleRabbitListenerContainerFactory factory =
                    RabbitOfBoot.configured(new SimpleRabbitListenerContainerFactory(), connections, beans);
            factory.setConsumerBatchEnabled(true);
            factory.setBatchSize(2);
            factory.setReceiveTimeout(250L);
            return factory;
        }
    }

    static class ManualAndAsync extends Publishing {

        ManualAndAsync(EventLog log, RabbitTemplate template, @Value("${test.name}") String name) {
            super(log, template, name);
        }

        @RabbitListener(queues = "${test.name}.payments", ackMode = "MANUAL")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) throws Exception {
            work();
            channel.basicAck(tag, false);
        }

        @RabbitListener(queues = "${test.name}.receipts")
        @IdempotentListener(scope = RECEIPTS)
        CompletableFuture<Void> receipt(String body) {
            work();
            return CompletableFuture.completedFuture(null);
        }
    }
}
