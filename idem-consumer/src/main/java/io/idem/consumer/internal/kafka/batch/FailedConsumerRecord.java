package io.idem.consumer.internal.kafka.batch;

import io.idem.consumer.internal.delivery.BatchReport;
import io.idem.consumer.internal.delivery.OpenWork;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import io.idem.internal.Causes;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchListenerFailedException;

/**
 * The listener's statements about single records: by a {@link BatchListenerFailedException}, or by its acknowledgement.
 *
 * @param running the records that the listener got
 * @param said null where it does not acknowledge
 * @param payloadsOnly whether the listener cannot tell a record that was not converted from one without a value
 */
record FailedConsumerRecord(
        List<ConsumerRecord<?, ?>> running, @Nullable HeldKafkaAck said, boolean payloadsOnly) implements BatchReport {

    @Override
    public int failedAt(Throwable failure) {
        BatchListenerFailedException named = named(failure);
        if (named == null) {
            return -1;
        }
        ConsumerRecord<?, ?> record = named.getRecord();
        return record == null ? named.getIndex() : indexOf(record);
    }

    private int indexOf(@Nullable ConsumerRecord<?, ?> record) {
        for (int i = 0; i < running.size() && record != null; i++) {
            ConsumerRecord<?, ?> one = running.get(i);
            if (one.offset() == record.offset() && OpenOffsets.partition(one).equals(OpenOffsets.partition(record))) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public Throwable cause(Throwable failure) {
        BatchListenerFailedException named = named(failure);
        return named == null || named.getCause() == null ? failure : named.getCause();
    }

    @Override
    public int doneBeforeFailure() {
        return said == null ? 0 : said.acknowledgedByIndex();
    }

    @Override
    public int handedBackFrom() {
        return said == null ? -1 : said.nack().map(HeldKafkaAck.Nack::index).orElse(-1);
    }

    @Override
    public List<Integer> leaveOpen(Function<List<Integer>, OpenWork> work) {
        return said == null ? List.of() : said.leaveOpen(work);
    }

    @Override
    public List<Integer> unconverted(@Nullable Throwable failure) {
        int named = failure == null ? -1 : indexOf(ConversionFailures.of(failure));
        if (named >= 0) {
            return List.of(named);
        }
        return failure != null || !payloadsOnly
                ? List.of()
                : IntStream.range(0, running.size())
                        .filter(index -> ConversionFailures.concern(running.get(index)))
                        .boxed()
                        .toList();
    }

    static @Nullable BatchListenerFailedException named(@Nullable Throwable failure) {
        return Causes.find(failure, BatchListenerFailedException.class);
    }
}
