package io.idem;

import io.idem.RememberedSteps.RememberedStep;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Records, in the database of the business data and in the same transaction, that the work of a record took effect.
 * Runs the work on the calling thread. A transaction of another attempt on the same record is not waited for; on MySQL it is, for at most a second. Thread-safe.
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
     * Returns the longest time for which rows are kept. A row is kept for the retention of the request's lease, but no longer than this; a
     * duplicate that comes later is run again. Unlimited by default.
     */
    default Duration retention() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /**
     * Returns whether the caller's thread decides in which of several databases the rows are. An operator has no such thread, so
     * that work in this inbox is not completed in its owner's place.
     */
    default boolean isChosenByCaller() {
        return false;
    }

    /**
     * Returns whether the row is the record of the store too: what an attempt commits needs no other write. Whatever grants a lease then
     * does so in the table of the rows.
     */
    default boolean keepsRecords() {
        return failures().isPresent();
    }

    /**
     * Reads a record's committed row, without waiting for open transactions; empty if there is none.
     *
     * @throws StoreUnavailableException if the database does not answer
     */
    Optional<Effect> find(RecordId record);

    /**
     * Removes the row of an attempt after which its work runs {@linkplain Effect#again again}, once the messages of the
     * row are confirmed. Best effort: the next delivery publishes the messages of a row that stays.
     *
     * @param owner the token of the attempt
     */
    default void remove(RecordId record, OwnerToken owner) {}

    /**
     * The request to run the work of an attempt.
     *
     * @param lease the lease that the store granted; with the fence 0 if none did
     * @param fingerprint the fingerprint of the payload, which the row keeps, or {@link Fingerprint#NONE}
     * @param maxAttempts the number of failed attempts after which the record is exhausted; 0 for no limit. Used only by an inbox that is the store, see {@link Inbox#failures}
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
     * Returns access to the failed attempts of an inbox that is the store: its claim takes the place of a store's acquire and may answer {@link InboxOutcome.Refused}. Empty if another store grants leases and counts attempts.
     */
    default Optional<Failures> failures() {
        return Optional.empty();
    }

    /**
     * The failed attempts of an inbox that is the store. Each is written in a transaction of its own after the work was rolled back, and only if no row says that the work took effect. Thread-safe; blocks.
     */
    interface Failures {

        /**
         * Grants a lease to work whose transaction is its {@linkplain InboxTransaction#LAST_PHASE last phase}. Its updates go to
         * the store.
         *
         * @throws StoreUnavailableException if the database does not answer
         */
        Claim grant(AcquireRequest request);

        /**
         * Counts a failed attempt.
         *
         * @param attempt the attempt, with the lease that its work got
         * @param delay the time until the earliest retry
         * @param counted whether the attempt counts; if not, nothing is written
         * @return {@link StoreAnswer.Ok}, or {@link StoreAnswer.Lost} with the state that was found
         * @throws StoreUnavailableException if the database does not answer
         */
        StoreAnswer fail(Request attempt, Duration delay, boolean counted);

        /**
         * Ends the work for good.
         *
         * @param attempt the attempt, with the lease that its work got
         * @return {@link StoreAnswer.Ok}, or {@link StoreAnswer.Lost} with the state that was found
         * @throws StoreUnavailableException if the database does not answer
         */
        StoreAnswer reject(Request attempt, String reason);
    }

    /**
     * Returns access for work whose transaction is its {@linkplain InboxTransaction#LAST_PHASE last phase}; empty if this
     * inbox runs whole work only.
     */
    default Optional<LastPhase> lastPhase() {
        return Optional.empty();
    }

    /**
     * The steps of work, and the transaction after them. Steps are kept in the database of the rows until the transaction
     * of their record commits. An attempt reads them before its first step; from then on attempts with a smaller fence neither write
     * steps nor begin a transaction. Thread-safe; blocks.
     */
    interface LastPhase {

        /**
         * Checks that the database can keep steps, by statements that are rolled back.
         *
         * @throws StoreUnavailableException if it cannot; the message says why
         */
        void check();

        /**
         * Checks that the calling thread is in no transaction, in which a step would hold a connection.
         *
         * @throws IllegalStateException if it is
         */
        void requireNoTransaction();

        /**
         * Reads the steps of earlier attempts and shuts those attempts out.
         *
         * @return {@link StoreAnswer.Recalled}, with a life of 0 if no attempt came before; {@link StoreAnswer.Lost} if the
         *     record has a row, an attempt with a greater fence has read the steps, or the transaction of another one is open
         * @throws StoreUnavailableException if the database does not answer
         */
        StoreAnswer recall(Lease lease);

        /**
         * Remembers a step. The first result of a step stays.
         *
         * @return {@link StoreAnswer.Ok}, or {@link StoreAnswer.Lost} if another attempt has read the steps or has taken effect
         * @throws StoreUnavailableException if the database does not answer
         */
        StoreAnswer remember(Lease lease, RememberedStep step);

        /**
         * Returns the steps of a record, for operators.
         *
         * @throws StoreUnavailableException if the database does not answer
         */
        RememberedSteps steps(RecordId record);

        /**
         * Opens a transaction on the calling thread, claims the record's row in it and removes the steps.
         *
         * @throws StoreUnavailableException if the database does not answer
         */
        Beginning begin(Request request);
    }

    /** The answer to the beginning of a transaction. */
    sealed interface Beginning {

        /**
         * The open transaction, which belongs to the thread that began it. One of {@link #commit} and {@link #rollBack} must
         * follow.
         */
        non-sealed interface Begun extends Beginning {

            /** Returns the lease with the fence of the row; see {@link InboxWork#run}. */
            Lease lease();

            /**
             * Commits.
             *
             * @param work the callbacks around the commit; it is not run
             * @return {@link InboxOutcome.Committed}, or {@link InboxOutcome.Found} if another attempt was faster
             * @throws RuntimeException if the transaction was rolled back
             * @throws CommitUnknownException if its outcome is unknown
             */
            InboxOutcome commit(InboxWork work, Effect effect);

            /** Rolls back what was written since the beginning. A failure is only logged. */
            void rollBack();
        }

        /** No transaction is open. */
        record NotBegun(InboxOutcome answer) implements Beginning {}
    }

    /** The business writes of an attempt. */
    @FunctionalInterface
    interface InboxWork {

        /**
         * Runs the writes inside the open transaction.
         *
         * @param claimed the lease with the fence of the row, which may be read only when it is asked for: the fence of the request's lease or the database's clock in microseconds, whichever is greater. So fences grow even if the store lost the record and its clock was set back. In an inbox that is the store, its attempt number counts failed attempts
         * @return the effect to keep in the row; empty to roll back
         */
        Optional<Effect> run(Lease claimed) throws Exception;

        /**
         * Binds the context of the work to the calling thread, for the callbacks of the transaction around its commit. Closed
         * on the same thread, before callbacks after a roll-back.
         */
        default IdempotencyContext.Binding bind() {
            return () -> {};
        }

        /**
         * Returns the effect to commit. Called after all other callbacks before the commit, which may have published
         * messages.
         *
         * @param effect the effect that the work returned
         * @throws RuntimeException to roll back
         */
        default Effect beforeCommit(Effect effect) {
            return effect;
        }

        /** Called after the commit, before the other callbacks after it. */
        default void afterCommit() {}
    }

    /**
     * The content of an inbox row.
     *
     * @param result the result of the work
     * @param outgoing the messages that the work published, in their order. Read from a row, only those that the reader
     *     must publish; none if a relay sends them
     * @param fingerprint the fingerprint of the payload in a row that was read, or {@link Fingerprint#NONE} if it is not known. Ignored in the effect that work returns: the row keeps the fingerprint of the {@link Request}
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

        /**
         * Returns whether the work is to run again because it has sent its own message back, which may be among the
         * messages.
         */
        public boolean again() {
            return result.equals(StoredResult.AGAIN);
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
         * The work may not run because of failed attempts. {@code claim} is the answer that another store would give. Returned only by an inbox that is the store.
         */
        record Refused(Claim claim) implements InboxOutcome {}

        /** The work had been committed before and was not run; {@code effect} is the content of its row. */
        record Found(Effect effect) implements InboxOutcome {}

        /**
         * An attempt had been committed before after which the work runs {@linkplain Effect#again again}, but not before
         * the messages of its row are confirmed and the row is {@linkplain Inbox#remove removed}.
         *
         * @param owner the token of that attempt
         */
        record Again(Effect effect, OwnerToken owner) implements InboxOutcome {}
    }
}
