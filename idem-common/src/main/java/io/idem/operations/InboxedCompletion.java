package io.idem.operations;

import io.idem.CommitUnknownException;
import io.idem.Inbox;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Completes unfinished work in its inbox row too, which decides what takes effect: no earlier attempt can commit
 * afterwards, and an effect that one has committed is not lost. Thread-safe; blocks.
 */
record InboxedCompletion(Inbox inbox) {

    /** The longest wait for an attempt of the earlier version, which takes no lock, before the call is to be repeated. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /**
     * Completes the record while its row is locked.
     *
     * @param force completes the record in the store
     */
    Answer complete(RecordId record, RecordSnapshot found, Supplier<StoreAnswer> force) {
        if (inbox.isChosenByCaller()) {
            return Answer.refused("Each tenant has a database, and an operator no tenant. Release the key: its"
                    + " next delivery or request finds its own. Or ask a RecordOperator with a JdbcInbox of the tenant's");
        }
        Forced forced = new Forced(force);
        OwnerToken operator = OwnerToken.random(new SecureRandom());
        Lease lease = new Lease(record, operator, found.fence() + 1, 1, TIMEOUT, TIMEOUT);
        try {
            InboxOutcome outcome = inbox.run(
                    new Inbox.Request(lease, found.fingerprint()),
                    claimed -> forced.done()
                            ? Optional.of(new Effect(ForcedEnd.COMPLETED.result(), List.of()))
                            : Optional.empty());
            if (outcome instanceof InboxOutcome.Open || outcome instanceof InboxOutcome.Again) {
                return stillOpen();
            }
            return outcome instanceof InboxOutcome.Found row ? byRow(row.effect(), forced) : new Answer(forced.ok);
        } catch (CommitUnknownException open) {
            if (forced.ok) {
                throw open;
            }
            return stillOpen();
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) {
            throw new IllegalStateException(
                    "The inbox failed with an exception of the work, which throws none", impossible);
        }
    }

    private static Answer stillOpen() {
        return Answer.refused(
                "An attempt has its transaction open, or ended without a known outcome. Ask again when it has ended");
    }

    private static Answer byRow(Effect row, Forced forced) {
        boolean hides = !row.result().equals(StoredResult.NONE) && !row.result().equals(ForcedEnd.COMPLETED.result());
        if (row.outgoing().isEmpty() && !hides) {
            return new Answer(forced.done());
        }
        return Answer.refused(
                "Its inbox row says that the work took effect, with the result " + row.result() + " and "
                        + row.outgoing().size()
                        + " message(s) that may not have left; a completed record would hide both. Release the"
                        + " key: its next delivery or request publishes the messages, is answered from the row and completes the record");
    }

    /**
     * The outcome of an operator's complete.
     *
     * @param why the reason why it was not done, unless the record's state says so
     */
    record Answer(boolean done, Optional<String> why) {

        Answer(boolean done) {
            this(done, Optional.empty());
        }

        static Answer refused(String why) {
            return new Answer(false, Optional.of(why));
        }
    }

    /** The result of the forced completion. Used by the operator's thread only. */
    private static final class Forced {

        private final Supplier<StoreAnswer> force;
        private boolean ok;

        Forced(Supplier<StoreAnswer> force) {
            this.force = force;
        }

        boolean done() {
            ok = force.get() instanceof StoreAnswer.Ok;
            return ok;
        }
    }
}
