package io.idem.spi;

import io.idem.Fingerprint;
import io.idem.RecordId;
import java.util.function.BooleanSupplier;

/**
 * Source of dead letters at one broker: finds a letter and moves it back to where it came from, for an operator.
 * Thread-safe; blocks. The modules of the listeners bring one for each broker; applications need none of their own.
 */
public interface DeadLetterSource {

    /** Stable name of the transport: {@code rabbit}, {@code kafka}. */
    String transport();

    /**
     * Searches a bounded part of a dead-letter queue or topic, and publishes the letter to where it came from, as the
     * message that it was before. Of several letters of one operation, a call moves one; all other letters stay. The
     * broker's confirm is awaited before the letter is removed, where that is possible: a failure in between leaves two
     * copies, never none.
     *
     * @param permission asked once, when the letter is found and can be moved; if it returns false, the letter stays.
     *     Its exceptions are passed on unchanged, and the letter stays
     * @throws IllegalArgumentException if there is no such queue or topic, or the letter does not say where it came
     *     from
     * @throws RuntimeException if the broker did not answer, or did not take the message; the letter is still there,
     *     and the call may be repeated
     */
    Search moveBack(Sought sought, BooleanSupplier permission);

    /**
     * Description of the letter to find.
     *
     * @param fingerprint of the payload that the key belongs to; a letter with another one belongs to another operation
     *     and is skipped
     * @param from queue or topic of dead letters
     * @param limit largest number of messages to look at, from 1
     */
    record Sought(RecordId record, Fingerprint fingerprint, String from, int limit) {}

    /** Result of a search. */
    sealed interface Search {

        /** Returns the number of messages that were looked at, including the letter. */
        int examined();

        /**
         * The letter was published again.
         *
         * @param to queue or topic
         */
        record Moved(int examined, String to) implements Search {}

        /** The letter was found and was not to be moved. */
        record Kept(int examined) implements Search {}

        /**
         * The letter was not found.
         *
         * @param more whether there are messages that were not looked at
         */
        record Missing(int examined, boolean more) implements Search {}
    }
}
