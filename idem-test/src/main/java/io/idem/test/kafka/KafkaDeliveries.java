package io.idem.test.kafka;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.test.Delivered;
import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Hands records to the application's {@code @KafkaListener} methods on the calling thread, through the listener that their container
 * would call: converters, filters and idem's guard are those of production. Kafka is not asked, so there need be none; containers at rest
 * hand back at once what would have to wait. Values are what the deserializer would answer. Batches, results that come later and
 * transactions of containers need a broker; what error handlers do with failures is not played. Thread-safe.
 */
public final class KafkaDeliveries {

    private final TestIdempotency idempotency;
    private final Supplier<KafkaListenerEndpointRegistry> registry;
    private final Predicate<MessageListenerContainer> chosen;

    /**
     * Deliveries to the listeners of an application; {@link io.idem.test.spring.IdempotencyTest} makes them.
     *
     * @param registry knows the containers; asked at each delivery
     */
    public KafkaDeliveries(TestIdempotency idempotency, Supplier<KafkaListenerEndpointRegistry> registry) {
        this(idempotency, registry, container -> true);
    }

    private KafkaDeliveries(
            TestIdempotency idempotency,
            Supplier<KafkaListenerEndpointRegistry> registry,
            Predicate<MessageListenerContainer> chosen) {
        this.idempotency = idempotency;
        this.registry = registry;
        this.chosen = chosen;
    }

    /** Those to one listener, where several listen to a topic: the {@code id} of its annotation. */
    public KafkaDeliveries toListener(String id) {
        return new KafkaDeliveries(idempotency, registry, container -> id.equals(container.getListenerId()));
    }

    /** A record under an idempotency key, without a key of its own for partitions. */
    public Rehearsal<Delivered> record(String topic, String key, @Nullable Object value) {
        ConsumerRecord<@Nullable Object, @Nullable Object> record = new ConsumerRecord<>(topic, 0, 0, null, value);
        record.headers().add(IdempotencyHeaders.KEY, key.getBytes(StandardCharsets.UTF_8));
        return record(record);
    }

    /**
     * A record of the test's own making. Every delivery gets a copy.
     *
     * @throws IllegalArgumentException at delivery, if not exactly one listener of single records listens to that topic
     */
    public Rehearsal<Delivered> record(ConsumerRecord<?, ?> record) {
        return idempotency.rehearse(() -> new StoppedListener(listeningTo(record.topic())).deliver(record));
    }

    private MessageListenerContainer listeningTo(String topic) {
        List<MessageListenerContainer> found = registry.get().getListenerContainers().stream()
                .filter(chosen)
                .filter(container -> new Topics(container.getContainerProperties()).contain(topic))
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException(
                    "Not one @KafkaListener, but " + found.size() + " listen to topic \"" + topic + "\": "
                            + found.stream()
                                    .map(MessageListenerContainer::getListenerId)
                                    .toList()
                            + "; choose one of several by toListener(id)");
        }
        return found.get(0);
    }
}
