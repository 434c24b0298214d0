package io.idem.engine;

import io.idem.IdempotencyEvent.TakeoverDecided;
import io.idem.IdempotencyEvent.TakeoverDecided.Decision;
import io.idem.Reconciler;
import io.idem.Reconciliation;
import io.idem.StoredResult;
import io.idem.TakeoverPolicy;
import io.idem.UnknownOutcome;
import io.idem.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what follows from the unknown outcome of an earlier attempt. Thread-safe; may block on a reconciler. */
record Takeovers(EventSource events, Results results) {

    private static final Logger LOG = LoggerFactory.getLogger(Takeovers.class);

    /**
     * Returns the decision; {@link Reconciliation.NotDone} if the work is to run, also where there is nothing to
     * decide. A result of the decision is packed.
     */
    Reconciliation decide(Attempt attempt) {
        if (!attempt.undecided()) {
            return new Reconciliation.NotDone();
        }
        Reconciliation ruling = ruling(attempt);
        if (!(ruling instanceof Reconciliation.AskAgain)) {
            attempt.decided();
        }
        LOG.info(
                "{} was taken over with its outcome unknown: {}",
                attempt.lease().record(),
                decision(ruling));
        events.publish(new TakeoverDecided(attempt.lease(), decision(ruling)));
        return ruling instanceof Reconciliation.Done done ? new Reconciliation.Done(kept(attempt, done)) : ruling;
    }

    private StoredResult kept(Attempt attempt, Reconciliation.Done done) {
        return results.packOrOmit(attempt.lease(), new WorkResult.Complete<>("", done.result()))
                .result();
    }

    private static Reconciliation ruling(Attempt attempt) {
        return attempt.policy().takeover() instanceof TakeoverPolicy.Reconcile policy
                ? ask(policy.reconciler(), attempt)
                : new Reconciliation.Reject("the outcome of attempt " + (attempt.attempt() - 1)
                        + " is unknown; find out whether it took effect, then reopen the record to run it again");
    }

    private static Reconciliation ask(Reconciler reconciler, Attempt attempt) {
        try {
            return reconciler.reconcile(new UnknownOutcome(
                    attempt.key(),
                    attempt.scope(),
                    attempt.root(),
                    attempt.fence(),
                    attempt.attempt(),
                    attempt.operation().payloads()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Reconciliation.AskAgain();
        } catch (Exception failed) {
            LOG.warn(
                    "The reconciler failed for {}; nothing is run and the next takeover asks again",
                    attempt.lease().record(),
                    failed);
            return new Reconciliation.AskAgain();
        }
    }

    private static Decision decision(Reconciliation ruling) {
        if (ruling instanceof Reconciliation.Done) {
            return Decision.DONE;
        }
        if (ruling instanceof Reconciliation.NotDone) {
            return Decision.RUN;
        }
        return ruling instanceof Reconciliation.Reject ? Decision.REJECTED : Decision.ASK_AGAIN;
    }
}
