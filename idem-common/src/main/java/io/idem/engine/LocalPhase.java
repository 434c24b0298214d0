package io.idem.engine;

import io.idem.Inbox.Beginning;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Inbox.InboxWork;
import io.idem.Inbox.LastPhase;
import io.idem.Inbox.Request;
import io.idem.LeaseLostException;
import io.idem.RefusedWorkException;
import io.idem.StoreUnavailableException;
import io.idem.step.LocalWork;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of an attempt whose work ends with it: opened by the work, or when the work has returned. Belongs to the thread
 * that creates it; other threads may only ask whether it was begun.
 */
final class LocalPhase {

    private final Attempt attempt;
    private final LastPhase inbox;
    private final Request request;
    private final Thread thread = Thread.currentThread();
    private volatile boolean wasBegun;
    private Beginning.@Nullable Begun open;
    private @Nullable InboxOutcome answer;

    LocalPhase(Attempt attempt, LastPhase inbox, Request request) {
        this.attempt = attempt;
        this.inbox = inbox;
        this.request = request;
    }

    /** Returns whether the work has asked for the transaction. */
    boolean wasBegun() {
        return wasBegun;
    }

    void requireNoTransaction() {
        inbox.requireNoTransaction();
    }

    /** Returns the answer of the inbox that let no transaction begin. */
    Optional<InboxOutcome> answer() {
        return Optional.ofNullable(answer);
    }

    /** Runs a part of the work in the transaction; see {@link io.idem.IdempotencyContext#inTransaction}. */
    <T, X extends Exception> T run(LocalWork<T, X> work) throws X {
        requireOnce();
        attempt.steps().rethrowEnd();
        attempt.requireOwner();
        if (attempt.steps().isAnyRunning()) {
            throw new RefusedWorkException(
                    "inTransaction was called by the work of " + request.record()
                            + " while a step runs, for whose end the transaction would wait; call it when all steps have ended");
        }
        if (!begin()) {
            throw new LeaseLostException(attempt.lease());
        }
        int kept = attempt.publications().kept().size();
        try {
            return work.run();
        } catch (Throwable failure) {
            rollBack();
            attempt.publications().keepOnly(kept);
            throw failure;
        }
    }

    private void requireOnce() {
        if (Thread.currentThread() != thread) {
            throw new RefusedWorkException("inTransaction was called on the thread " + Thread.currentThread()
                    + ", and the work of " + request.record() + " runs on " + thread
                    + ", to which its transaction belongs; call it there");
        }
        if (wasBegun) {
            throw new RefusedWorkException("inTransaction was called twice by the work of " + request.record()
                    + ", which has one transaction; put all writes into one call");
        }
    }

    private boolean begin() {
        wasBegun = true;
        Beginning beginning;
        try {
            beginning = inbox.begin(request);
        } catch (StoreUnavailableException silent) {
            attempt.steps().notAnswered(silent);
            throw silent;
        }
        if (beginning instanceof Beginning.NotBegun instead) {
            answer = instead.answer();
            return false;
        }
        open = (Beginning.Begun) beginning;
        attempt.holdsRow(true);
        return true;
    }

    /** Commits, in a transaction that begins now if none is open. */
    InboxOutcome commit(InboxWork work, Effect effect) {
        if (open == null && !begin()) {
            return answer().orElseThrow();
        }
        Beginning.Begun ending = Objects.requireNonNull(open);
        open = null;
        try {
            return ending.commit(work, effect);
        } finally {
            attempt.holdsRow(false);
        }
    }

    /** Rolls back if a transaction is open. */
    void rollBack() {
        Beginning.Begun ending = open;
        open = null;
        attempt.holdsRow(false);
        if (ending != null) {
            ending.rollBack();
        }
    }
}
