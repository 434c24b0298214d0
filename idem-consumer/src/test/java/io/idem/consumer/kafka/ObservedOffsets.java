package io.idem.consumer.kafka;

import io.idem.consumer.contract.EventLog;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Notes an acknowledgement for every record that an offset commit covers, once the broker has confirmed it. */
public final class ObservedOffsets implements ConsumerInterceptor<Object, Object> {

    /** Setting that carries the {@link EventLog}. */
    static final String LOG = "test.event-log";

    private final Map<TopicPartition, Long> committed = new HashMap<>();
    private @Nullable EventLog log;

    @Override
    public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
        for (TopicPartition partition : records.partitions()) {
            committed.putIfAbsent(partition, records.records(partition).get(0).offset());
        }
        return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, offset) -> {
            long before = Objects.requireNonNullElse(committed.put(partition, offset.offset()), 0L);
            for (long record = before; record < offset.offset(); record++) {
                Objects.requireNonNull(log).note(EventLog.ACKNOWLEDGE);
            }
        });
    }

    @Override
    public void configure(Map<String, ?> settings) {
        log = (EventLog) settings.get(LOG);
    }

    @Override
    public void close() {}
}
