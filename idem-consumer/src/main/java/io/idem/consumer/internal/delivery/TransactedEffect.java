package io.idem.consumer.internal.delivery;

import io.idem.Outcome;
import io.idem.RunningOperation;
import io.idem.WorkResult;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that is done if its container's transaction commits. No method throws after the commit: an exception would be
 * taken for a rollback.
 *
 * @param hold keeps trying to record the effect, where the store is silent
 */
public record TransactedEffect(
        Delivery delivery, RunningOperation operation, WorkResult.Complete<Optional<Object>> result, RecordHold hold) {

    private static final Logger LOG = LoggerFactory.getLogger(TransactedEffect.class);

    void requireOwner() {
        operation.context().requireOwner();
    }

    void complete() {
        try {
            if (hold.recorded(operation.settle(result)) instanceof Outcome.Unrecorded<Optional<Object>> still) {
                notRecorded(still.why());
            }
        } catch (RuntimeException failed) {
            notRecorded(failed);
        }
    }

    private void notRecorded(Object why) {
        LOG.error(
                "The work of {} is committed but could not be recorded ({}). Its container acknowledges it all the same;"
                        + " a duplicate that comes after the lease runs it again",
                delivery,
                why);
    }

    void release() {
        try {
            operation.abandon();
        } catch (RuntimeException failed) {
            LOG.warn("The key of {} could not be released after a rollback; its lease expires", delivery, failed);
        }
    }

    /** Stops renewing the lease, without a call to the store. */
    void leave() {
        LOG.warn("It is unknown whether the transaction around {} has committed; its lease expires", delivery);
        operation.leave();
    }
}
