package io.idem.consumer.internal.kafka.share;

import static io.idem.internal.Durations.shorter;

import io.idem.consumer.internal.delivery.InPlaceWait;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ShareConsumer;

/**
 * Pauses of renewed records of a share group, until they are due again. A consumer that has some polls only those, so a
 * pause before the first of them keeps no other record waiting while its lock expires. Thread-safe.
 */
public final class SharePauses {

    /** The shortest lock that brokers grant, in ms; used where a broker does not report its own. */
    private static final int SHORTEST_LOCK = 15_000;

    /**
     * Time after which a pause is dropped: a record that went to another consumer meanwhile does not come back here.
     */
    private static final Duration FORGOTTEN = Duration.ofMinutes(1);

    private final Map<RecordPosition, Long> due = new ConcurrentHashMap<>();

    private record RecordPosition(String topic, int partition, long offset) {

        static RecordPosition of(ConsumerRecord<?, ?> record) {
            return new RecordPosition(record.topic(), record.partition(), record.offset());
        }
    }

    /** Begins a pause, of no more than a quarter of the lock. */
    void begin(ConsumerRecord<?, ?> record, Duration pause, ShareConsumer<?, ?> consumer) {
        long now = System.nanoTime();
        due.values().removeIf(time -> now - time > FORGOTTEN.toNanos());
        Optional<Integer> lock = consumer.acquisitionLockTimeoutMs();
        Duration longest = Duration.ofMillis(lock.orElse(SHORTEST_LOCK) / 4);
        due.put(RecordPosition.of(record), now + shorter(pause, longest).toNanos());
    }

    /** Waits until a record's pause is over. Blocks. */
    void await(ConsumerRecord<?, ?> record, BooleanSupplier stopping) {
        Long end = due.remove(RecordPosition.of(record));
        if (end != null) {
            InPlaceWait wait = new InPlaceWait(Duration.ofNanos(Math.max(0, end - System.nanoTime())), stopping);
            while (wait.pause(Duration.ZERO)) {
                Thread.onSpinWait();
            }
        }
    }
}
