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
 * Passes records to the application's {@code @KafkaListener} methods on the calling thread, through the listener that
 * their container would call: converters, filters and idem's guard are those of production. Kafka is not called, so
 * none is needed; stopped containers hand back at once what would have to wait. Values are those that the deserializer
 * would return. Batches, asynchronous results and transactions of containers need a broker; the error handlers'
 * treatment of failures is not simulated. Thread-safe.
 */
public final class KafkaDeliveries {

    private final TestIdempotency idempotency;
    private final Supplier<KafkaListenerEndpointRegistry> registry;
    private final Predicate<MessageListenerContainer> chosen;

    /**
     * Creates the deliveries of an application; {@link io.idem.test.spring.IdempotencyTest} does so for tests.
     *
     * @param registry knows the containers; obtained for each delivery
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

    /**
     * Returns deliveries to one listener, where several listen to a topic.
     *
     * @param id the {@code id} of its annotation
     */
    public KafkaDeliveries toListener(String id) {
        return new KafkaDeliveries(idempotency, registry, container -> id.equals(container.getListenerId()));
    }

    /** Returns a rehearsal of a record under an idempotency key, without a Kafka key of its own. */
    public Rehearsal<Delivered> record(String topic, String key, @Nullable Object value) {
        ConsumerRecord<@Nullable Object, @Nullable Object> record = new ConsumerRecord<>(topic, 0, 0, null, value);
        record.headers().add(IdempotencyHeaders.KEY, key.getBytes(StandardCharsets.UTF_8));
        return record(record);
    }

    /**
     * Returns a rehearsal of a given record. Every delivery gets a copy.
     *
     * @throws IllegalArgumentException at delivery, if not exactly one listener of single records listens to the topic
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
