package io.idem;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Records, in the database of the business data and in the same transaction, that the work of a record took effect.
 * Thread-safe. Blocks for the work and its transaction, but not while another transaction works on the same record.
 */
public interface Inbox {

    /**
     * Runs the work in a transaction of its own whose first statement claims the record's row.
     *
     * <p>An exception of the work rolls the transaction back and is rethrown. If the outcome of the commit is unknown,
     * the row is read again.
     *
     * @throws StoreUnavailableException if the database did not answer before the work began; nothing was run
     * @throws CommitUnknownException if reading the row did not tell either; the record must not be updated then
     */
    InboxOutcome run(Request request, InboxWork work) throws Exception;

    /**
     * Returns whether work may run while the store is unreachable (fail open), so that the row alone decides which
     * attempt takes effect. False unless the user asked for it.
     */
    boolean decidesAlone();

    /**
     * Returns the time for which rows are kept at least; a duplicate that comes later is run again. Unlimited by
     * default.
     */
    default Duration retention() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /**
     * Reads a record's committed row, without waiting for open transactions; empty if there is none.
     *
     * @throws StoreUnavailableException if the database does not answer
     */
    Optional<Effect> find(RecordId record);

    /**
     * The request to run the work of an attempt.
     *
     * @param lease the lease that the store granted
     * @param fingerprint the fingerprint of the payload, which the row keeps, or {@link Fingerprint#NONE}
     * @param maxAttempts the number of failed attempts after which the record is exhausted; 0 for no limit. Counts only
     *     where the inbox is the store of its records, see {@link Inbox#failures}
     */
    record Request(Lease lease, Fingerprint fingerprint, int maxAttempts) {

        /** Creates a request without a limit of attempts. */
        public Request(Lease lease, Fingerprint fingerprint) {
            this(lease, fingerprint, 0);
        }

        /** Returns the record whose row is claimed. */
        public RecordId record() {
            return lease.record();
        }
    }

    /**
     * Returns the failures of an inbox that is the store of its records: no other store decides who works, so its claim
     * answers what a store would, with {@link InboxOutcome.Refused}. Empty if a store grants leases; then it counts
     * attempts, and the inbox does not.
     */
    default Optional<Failures> failures() {
        return Optional.empty();
    }

    /**
     * The attempts without effect, of an inbox that is the store of its records. They are written in transactions of
     * their own, after the work was rolled back; nothing is written if a row says that the work took effect. Thread-safe;
     * blocks.
     */
    interface Failures {

        /**
         * Counts a failed attempt.
         *
         * @param attempt the attempt, with the lease that its work got
         * @param delay the time until the earliest retry
         * @return {@link StoreAnswer.Ok}, or {@link StoreAnswer.Lost} with the state that was found
         * @throws StoreUnavailableException if the database does not answer
         */
        StoreAnswer fail(Request attempt, Duration delay);

        /**
         * Ends the work for good.
         *
         * @param attempt the attempt, with the lease that its work got
         * @return {@link StoreAnswer.Ok}, or {@link StoreAnswer.Lost} with the state that was found
         * @throws StoreUnavailableException if the database does not answer
         */
        StoreAnswer reject(Request attempt, String reason);
    }

    /** The business writes of an attempt. */
    @FunctionalInterface
    interface InboxWork {

        /**
         * Runs the writes inside the open transaction.
         *
         * @param claimed the lease of the request with the fence of the row: at least that of the lease, and at least
         *     the database's clock in microseconds, so that fences grow even if the store has lost the record and its
         *     clock was set back. If the inbox is the store, also with the number of the attempt
         * @return the effect to keep in the row; empty to roll back
         */
        Optional<Effect> run(Lease claimed) throws Exception;
    }

    /**
     * The content of an inbox row.
     *
     * @param result the result of the work
     * @param outgoing the messages that the work published, in their order. Read from a row, only those that the reader
     *     must publish; none if a relay sends them
     * @param fingerprint the fingerprint of the payload in a row that was read, or {@link Fingerprint#NONE} if it is not
     *     known. Not read from the effect of work: the row keeps that of the {@link Request}
     */
    record Effect(StoredResult result, List<OutgoingMessage> outgoing, Fingerprint fingerprint) {

        /** Copies the list. */
        public Effect {
            outgoing = List.copyOf(outgoing);
        }

        /** Creates an effect without a fingerprint. */
        public Effect(StoredResult result, List<OutgoingMessage> outgoing) {
            this(result, outgoing, Fingerprint.NONE);
        }
    }

    /** The outcome of a transaction with the inbox. */
    sealed interface InboxOutcome {

        /** The work and its row were committed. */
        record Committed(Effect effect) implements InboxOutcome {}

        /** The work asked for a roll-back. */
        record RolledBack() implements InboxOutcome {}

        /**
         * Another owner's transaction for the record is open: the work was not run, and whether that transaction
         * commits is not known yet.
         */
        record Open() implements InboxOutcome {}

        /**
         * A failed attempt lets no work run: {@code claim} is what a store would have answered. Only of an inbox that
         * is the store of its records.
         */
        record Refused(Claim claim) implements InboxOutcome {}

        /** The work had been committed before and was not run; {@code effect} is the content of its row. */
        record Found(Effect effect) implements InboxOutcome {}
    }
}
