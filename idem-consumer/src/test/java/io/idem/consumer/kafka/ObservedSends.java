package io.idem.consumer.kafka;

import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Shows a test every record on the sending thread, right before it is sent. */
public final class ObservedSends implements ProducerInterceptor<Object, Object> {

    /** Setting that carries the {@link Observer}. */
    static final String OBSERVER = "test.send-observer";

    private @Nullable Observer observer;

    /** What a test does with them. */
    @FunctionalInterface
    interface Observer extends Consumer<ProducerRecord<Object, Object>> {}

    @Override
    public ProducerRecord<Object, Object> onSend(ProducerRecord<Object, Object> record) {
        Objects.requireNonNull(observer).accept(record);
        return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception failure) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> settings) {
        observer = (Observer) settings.get(OBSERVER);
    }
}
