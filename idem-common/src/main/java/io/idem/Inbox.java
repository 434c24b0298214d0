package io.idem;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Remembers, in the database of the business data and in the same transaction, that a record's work took effect. Thread-safe;
 * blocks while another owner's transaction for the same record is open; where it {@linkplain #decidesAlone() decides alone}, for a
 * second at most, because then nothing else bounds how many wait.
 */
public interface Inbox {

    /**
     * Runs the work in a transaction of its own whose first statement claims the record's row.
     *
     * <p>An exception of the work rolls the transaction back and is rethrown. If the outcome of the commit is unknown, the row
     * is read again; if that does not settle the question, {@link CommitUnknownException} is thrown and nothing may be
     * settled.
     */
    InboxOutcome run(Lease lease, InboxWork work) throws Exception;

    /**
     * What the fence of a new grant must exceed: the greatest fence of any row, or the database's clock in microseconds if that
     * is more. So fences grow also when the store has lost the record and its clock was set back.
     *
     * @throws StoreUnavailableException if the database does not answer; nothing was run
     */
    long fenceFloor(RecordId record);

    /**
     * Whether work may run while the store is unreachable: the row then decides alone which attempt takes effect. False
     * unless the user asked for it.
     */
    boolean decidesAlone();

    /** How long rows are kept, at least: a duplicate that comes later is run again. For ever unless the inbox says otherwise. */
    default Duration retention() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /**
     * Reads a record's committed row, without waiting for transactions that are open; empty if there is none.
     *
     * @throws StoreUnavailableException if the database does not answer
     */
    Optional<Effect> find(RecordId record);

    /** The business writes. */
    @FunctionalInterface
    interface InboxWork {

        /** Does them; an empty answer rolls them back. */
        Optional<Effect> run() throws Exception;
    }

    /**
     * What a row keeps.
     *
     * @param result of the work
     * @param outgoing messages that the work published, in their order; of a row that is read, only those that its reader must
     *     publish, none if a relay sends them
     * @param fingerprint of the payload that the work was done for, or {@link Fingerprint#NONE} if that is not known
     */
    record Effect(StoredResult result, List<OutgoingMessage> outgoing, Fingerprint fingerprint) {

        /** Copies the list. */
        public Effect {
            outgoing = List.copyOf(outgoing);
        }

        /** An effect for a payload that is not known. */
        public Effect(StoredResult result, List<OutgoingMessage> outgoing) {
            this(result, outgoing, Fingerprint.NONE);
        }
    }

    /** How it ended. */
    sealed interface InboxOutcome {

        /** The work and its row were committed. */
        record Committed(Effect effect) implements InboxOutcome {}

        /** The work asked for a roll-back. */
        record RolledBack() implements InboxOutcome {}

        /** Another owner's transaction for the record is open: nothing was run, and whether that one takes effect is not known yet. */
        record Open() implements InboxOutcome {}

        /** The work had taken effect before and was not run; this is what its row says. */
        record Found(Effect effect) implements InboxOutcome {}
    }
}
