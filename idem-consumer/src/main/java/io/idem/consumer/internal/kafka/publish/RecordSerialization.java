package io.idem.consumer.internal.kafka.publish;

import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.util.function.SingletonSupplier;

/** Turns records into bytes as the producers of a factory would. Thread-safe as far as the serializers are. */
public final class RecordSerialization<K, V> {

    private final SingletonSupplier<Serializer<K>> keys;
    private final SingletonSupplier<Serializer<V>> values;

    /**
     * Uses the factory's getters: unlike its suppliers, they configure serializers that are given to it, unless it is
     * told not to.
     */
    public RecordSerialization(ProducerFactory<K, V> factory) {
        Map<String, Object> settings = factory.getConfigurationProperties();
        this.keys = SingletonSupplier.of(() ->
                orConfigured(factory.getKeySerializer(), settings, ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, true));
        this.values = SingletonSupplier.of(() -> orConfigured(
                factory.getValueSerializer(), settings, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, false));
    }

    @SuppressWarnings("unchecked")
    private static <T> Serializer<T> orConfigured(
            @Nullable Serializer<T> given, Map<String, Object> settings, String setting, boolean forKeys) {
        if (given != null) {
            return given;
        }
        Object configured = Objects.requireNonNull(settings.get(setting), () -> setting + " is not configured");
        try {
            Serializer<T> made = configured instanceof Class<?> type
                    ? (Serializer<T>) Utils.newInstance(type.asSubclass(Serializer.class))
                    : (Serializer<T>) Utils.newInstance(configured.toString().trim(), Serializer.class);
            made.configure(settings, forKeys);
            return made;
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException("The class of " + setting + " is missing: " + configured, missing);
        }
    }

    Serializer<K> keys() {
        return keys.obtain();
    }

    Serializer<V> values() {
        return values.obtain();
    }

    /** Serializes a record. Serializers may add headers of their own to the record's. */
    public ProducerRecord<byte[], byte[]> of(ProducerRecord<K, V> record) {
        byte[] key = keys().serialize(record.topic(), record.headers(), record.key());
        byte[] value = values().serialize(record.topic(), record.headers(), record.value());
        return new ProducerRecord<>(
                record.topic(), record.partition(), record.timestamp(), key, value, record.headers());
    }
}
