package io.idem.consumer.internal.kafka.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Which records of a batch are asked for after another one: what one consumer leaves is not touched by the others. */
class SuspectConsumerRecordsTest {

    private static final int FIRST = 0;
    private static final int SECOND = 1;

    private final SuspectConsumerRecords suspects = new SuspectConsumerRecords();

    private static List<ConsumerRecord<String, String>> records(int partition, long... offsets) {
        return LongStream.of(offsets)
                .mapToObj(offset -> new ConsumerRecord<>("payments", partition, offset, "key", "value"))
                .toList();
    }

    @Test
    void whatWasRolledBackIsAskedForAloneOnce() {
        suspects.apart(records(FIRST, 0, 1));

        assertThat(suspects.toAskFor(records(FIRST, 0, 1, 2))).containsExactly(0, 1);
        assertThat(suspects.toAskFor(records(FIRST, 0, 1, 2))).containsExactly(0, 1, 2);
    }

    @Test
    void aBatchOfAnotherPartitionRunsAsAWholeAndTakesNothingAway() {
        suspects.apart(records(FIRST, 0, 1));

        assertThat(suspects.toAskFor(records(SECOND, 0, 1, 2))).containsExactly(0, 1, 2);
        suspects.apart(List.of());
        assertThat(suspects.toAskFor(records(FIRST, 0, 1, 2))).containsExactly(0, 1);
    }

    @Test
    void whatIsRolledBackInAnotherPartitionTakesNothingAway() {
        suspects.apart(records(FIRST, 0, 1));
        suspects.apart(records(SECOND, 0));

        assertThat(suspects.toAskFor(records(SECOND, 0, 1))).containsExactly(0);
        assertThat(suspects.toAskFor(records(FIRST, 0, 1, 2))).containsExactly(0, 1);
    }

    @Test
    void whatWasRolledBackInSeveralPartitionsIsAskedForWithoutAllOthers() {
        suspects.apart(Stream.concat(records(FIRST, 0).stream(), records(SECOND, 0).stream())
                .toList());

        assertThat(suspects.toAskFor(Stream.concat(records(FIRST, 0, 1).stream(), records(SECOND, 0, 1).stream())
                        .toList()))
                .containsExactly(0, 2);
    }

    @Test
    void whatIsLeftOfAPartitionThatHasMovedOnHoldsNothingBack() {
        suspects.apart(records(FIRST, 0, 1));

        assertThat(suspects.toAskFor(records(FIRST, 7, 8))).containsExactly(0, 1);
        assertThat(suspects.toAskFor(records(FIRST, 0, 1, 2))).containsExactly(0, 1, 2);
    }
}
