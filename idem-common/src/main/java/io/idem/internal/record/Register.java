package io.idem.internal.record;

import io.idem.RecordId;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A place that keeps records by compare-and-set and stamps each write with its time. Never blocks. */
public interface Register {

    /** Creates a record if there is none. */
    CompletionStage<Written> create(RecordId record, StoredRecord first);

    /** Reads a record and the time exactly. */
    CompletionStage<Look> look(RecordId record);

    /** Reads a record faster, perhaps not exactly. */
    CompletionStage<Look> glance(RecordId record);

    /** Writes a record if it is still as it was seen. */
    CompletionStage<Written> write(RecordId record, Look seen, StoredRecord next);

    /**
     * How a write ended.
     *
     * @param at the time of the write; empty if the record was not as expected
     * @param instead what was there instead, if the register learned it; not exactly
     */
    record Written(OptionalLong at, @Nullable Look instead) {

        public static Written at(long time) {
            return new Written(OptionalLong.of(time), null);
        }

        public static Written refused(@Nullable Look instead) {
            return new Written(OptionalLong.empty(), instead);
        }
    }
}
