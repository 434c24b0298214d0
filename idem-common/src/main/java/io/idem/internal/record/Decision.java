package io.idem.internal.record;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a record, and the answer to the request.
 *
 * @param next the record to write before the answer is given; null if nothing is written
 * @param answer returns the answer by the time of the write, in milliseconds
 */
public record Decision<A>(@Nullable StoredRecord next, LongFunction<A> answer) {

    static <A> Decision<A> of(@Nullable StoredRecord next, A answer) {
        return new Decision<>(next, writtenAt -> answer);
    }
}
