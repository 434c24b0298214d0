package io.idem.consumer.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.DirectCallPolicy;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.internal.kafka.container.UnhookedRecords;
import io.idem.consumer.internal.rabbit.container.HeldDeliveries;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.support.MessageBuilder;

/** Calls of listeners that a container's lambda hands to a pool: no container is on the stack, only its message tells. */
class DirectCallsTest {

    private static final Method LISTENER = Stream.of(DirectCallsTest.class.getDeclaredMethods())
            .filter(method -> method.getName().equals("listener"))
            .findFirst()
            .orElseThrow();

    private static final ConsumerRecord<String, String> RECORD = new ConsumerRecord<>(
            "orders",
            0,
            7,
            1_700_000_000_000L,
            TimestampType.CREATE_TIME,
            1,
            1,
            "k",
            "v",
            new RecordHeaders(),
            Optional.empty());

    static final List<Object> DELIVERED = List.of(
            amqp("orders"),
            List.of(amqp("orders")),
            MessageBuilder.withPayload("one")
                    .setHeader(AmqpHeaders.CONSUMER_QUEUE, "orders")
                    .build(),
            RECORD,
            List.of(RECORD),
            new ConsumerRecords<>(Map.of(new TopicPartition("orders", 0), List.of(RECORD)), Map.of()),
            MessageBuilder.withPayload("one")
                    .setHeader(KafkaHeaders.RECEIVED_TOPIC, "orders")
                    .build());

    static final List<Object> MADE_BY_THE_CALLER = List.of(
            amqp(null),
            new ConsumerRecord<>("orders", 0, 7, "k", "v"),
            List.of(),
            "one",
            MessageBuilder.withPayload("one").build());

    private final ListenerStops stops = new ListenerStops(() -> {});
    private final HeldDeliveries rabbit = new HeldDeliveries();
    private final AtomicReference<@Nullable Throwable> ended = new AtomicReference<>();

    @SuppressWarnings("unused")
    void listener(Object message) {}

    private static Message amqp(@Nullable String queue) {
        MessageProperties properties = new MessageProperties();
        properties.setConsumerQueue(queue);
        return new Message(new byte[0], properties);
    }

    @AfterEach
    void release() {
        rabbit.destroy();
    }

    private DirectCalls calls(DirectCallPolicy policy) {
        return new DirectCalls(policy, stops, () -> List.of(new UnhookedRecords(), rabbit));
    }

    private Thread callOnAPool(Object argument) {
        Thread pool = new Thread(() -> {
            try {
                calls(DirectCallPolicy.REFUSE).check(LISTENER, argument, null);
            } catch (Throwable refusal) {
                ended.set(refusal);
            }
        });
        pool.setDaemon(true);
        pool.start();
        return pool;
    }

    @ParameterizedTest
    @FieldSource("DELIVERED")
    void aCallWithADeliveredMessageIsHeldAndItsListenerIsStopped(Object argument) {
        Thread pool = callOnAPool(argument);

        await().atMost(Duration.ofMinutes(1)).until(() -> pool.getState() == Thread.State.WAITING);
        pool.interrupt();
        assertThat(stops.reasons()).singleElement().asString().contains("outside a delivery");
        await().during(Duration.ofMillis(50)).until(pool::isAlive);
        assertThat(ended).hasNullValue();
    }

    @Test
    void aCallThatIsHeldForRabbitMqEndsWithTheApplication() {
        Thread pool = callOnAPool(amqp("orders"));
        await().atMost(Duration.ofMinutes(1)).until(() -> pool.getState() == Thread.State.WAITING);

        rabbit.destroy();

        await().atMost(Duration.ofMinutes(1)).until(() -> !pool.isAlive());
        assertThat(ended.get()).hasCauseInstanceOf(ListenerConfigurationException.class);
    }

    @ParameterizedTest
    @FieldSource("MADE_BY_THE_CALLER")
    void aCallWithWhatItsCallerMadeIsRefusedAtOnce(Object argument) {
        assertThatThrownBy(() -> calls(DirectCallPolicy.REFUSE).check(LISTENER, argument))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining("idem.consumer.direct-calls");
        assertThat(stops.reasons()).isEmpty();
    }

    @Test
    void aCallThatThePolicyAllowsIsNotHeld() {
        calls(DirectCallPolicy.RUN_UNGUARDED).check(LISTENER, RECORD);
    }
}
