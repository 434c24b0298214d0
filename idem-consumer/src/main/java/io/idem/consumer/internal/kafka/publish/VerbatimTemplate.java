package io.idem.consumer.internal.kafka.publish;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.serializer.DelegatingByTypeSerializer;

/**
 * A template for records whose bytes the application's own template would change: byte arrays and nulls leave as they
 * are, all other values as the application's serializers write them. Its one producer is made at the first such record
 * and has the application's settings, but no transaction: a second one could neither join the container's nor have its
 * ids. Thread-safe.
 */
public final class VerbatimTemplate implements AutoCloseable {

    private final ProducerFactory<Object, Object> application;
    private final RecordSerialization<Object, Object> serialization;
    private final Consumer<KafkaTemplate<?, ?>> configurer;
    private @Nullable KafkaTemplate<Object, Object> template;
    private boolean closed;

    /**
     * Makes a template whose producer is made at the first record.
     *
     * @param configurer gives the template the listener, observations and meters of the application's
     */
    @SuppressWarnings("unchecked")
    public VerbatimTemplate(ProducerFactory<?, ?> application, Consumer<KafkaTemplate<?, ?>> configurer) {
        this.application = (ProducerFactory<Object, Object>) application;
        this.serialization = new RecordSerialization<>(this.application);
        this.configurer = configurer;
    }

    /**
     * Returns whether the record needs this template. Never where a factory of another make keeps its settings to
     * itself.
     */
    public boolean isFor(ProducerRecord<?, ?> record) {
        return application.getConfigurationProperties().containsKey(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)
                && (changes(record.key() instanceof byte[], serialization::keys)
                        || changes(record.value() == null || record.value() instanceof byte[], serialization::values));
    }

    private static boolean changes(boolean bytes, Supplier<? extends Serializer<?>> serializer) {
        return bytes && !(serializer.get() instanceof ByteArraySerializer);
    }

    /**
     * The template, which the first call makes.
     *
     * @throws IllegalStateException if it has been closed
     */
    public synchronized KafkaOperations<Object, Object> get() {
        if (closed) {
            throw new IllegalStateException("The application is closing; no dead letter is published any more");
        }
        if (template == null) {
            template = make();
        }
        return template;
    }

    private KafkaTemplate<Object, Object> make() {
        DefaultKafkaProducerFactory<Object, Object> producers = new DefaultKafkaProducerFactory<>(
                settings(), verbatim(serialization.keys()), verbatim(serialization.values()), false);
        producers.setPhysicalCloseTimeout(
                (int) application.getPhysicalCloseTimeout().toSeconds());
        application.getPostProcessors().forEach(producers::addPostProcessor);
        application.getListeners().forEach(producers::addListener);
        KafkaTemplate<Object, Object> made = new KafkaTemplate<>(producers);
        made.setAllowNonTransactional(true);
        configurer.accept(made);
        return made;
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>(application.getConfigurationProperties());
        settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        // The producer's name must differ from the application's, or their metrics collide.
        settings.merge(ProducerConfig.CLIENT_ID_CONFIG, "idem-dead-letters", (id, own) -> id + "-dead-letters");
        return settings;
    }

    private static Serializer<Object> verbatim(Serializer<?> others) {
        return new DelegatingByTypeSerializer(
                Map.of(byte[].class, new ByteArraySerializer(), Object.class, others), true);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (template != null) {
            template.destroy();
            ((DefaultKafkaProducerFactory<?, ?>) template.getProducerFactory()).destroy();
        }
    }
}
