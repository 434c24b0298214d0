package io.idem.spi;

import io.idem.Fingerprint;
import io.idem.RecordId;
import java.util.function.BooleanSupplier;

/**
 * Finds a dead letter at one broker and moves it back to where it came from, for an operator. Thread-safe; blocks. Applications need none of
 * their own: the listeners' modules bring one for each broker.
 */
public interface DeadLetterSource {

    /** Stable name of the transport: {@code rabbit}, {@code kafka}. */
    String transport();

    /**
     * Looks through a bounded part of a dead-letter queue or topic, and publishes what it finds to where it came from. The broker's confirm is
     * awaited before the letter is taken away, where that is possible: a failure in between leaves two copies, never none.
     *
     * @param permission asked once, when the letter is found and can be moved; if it says no, the letter stays
     * @throws IllegalArgumentException if there is no such queue or topic, or the letter does not say where it came from
     * @throws RuntimeException the broker did not answer, or did not take the message; the letter is still there, and the call may be repeated
     */
    Search moveBack(Sought sought, BooleanSupplier permission);

    /**
     * What is looked for.
     *
     * @param fingerprint of the payload that the key belongs to; a letter with another one is another operation's, and is passed over
     * @param from queue or topic of dead letters
     * @param limit most messages that are looked at, from 1
     */
    record Sought(RecordId record, Fingerprint fingerprint, String from, int limit) {}

    /** What came of it. */
    sealed interface Search {

        /** How many messages were looked at, the letter included. */
        int examined();

        /**
         * The letter was published again.
         *
         * @param to queue or topic
         */
        record Moved(int examined, String to) implements Search {}

        /** The letter is there, and was not to be moved. */
        record Kept(int examined) implements Search {}

        /**
         * It is not among them.
         *
         * @param more whether others were not looked at
         */
        record Missing(int examined, boolean more) implements Search {}
    }
}
