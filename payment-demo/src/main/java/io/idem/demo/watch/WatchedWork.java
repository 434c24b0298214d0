package io.idem.demo.watch;

import io.idem.Claim;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.Locale;
import org.springframework.stereotype.Component;

/** Forwards idem's grants, steps and record updates to a sink. Thread-safe. */
@Component
public final class WatchedWork implements IdempotencyEventListener {

    private final EventSink sink;

    /** Creates an observer that forwards to {@code sink}. */
    public WatchedWork(EventSink sink) {
        this.sink = sink;
    }

    @Override
    public void on(IdempotencyEvent event) {
        if (event instanceof IdempotencyEvent.Claimed claimed) {
            claimed(claimed.record(), claimed.claim());
        } else if (event instanceof IdempotencyEvent.StepEnded step) {
            log(What.STEP_ENDED, step.lease(), step.how() + " " + step.step());
        } else if (event instanceof IdempotencyEvent.Settled settled) {
            log(What.SETTLED, settled.lease(), settled.state().name());
        } else if (event instanceof IdempotencyEvent.FoundInInbox found) {
            log(What.FOUND_IN_INBOX, found.lease(), "");
        } else if (event instanceof IdempotencyEvent.LeaseLost lost) {
            log(What.LOST, lost.lease(), "LEASE");
        } else if (event instanceof IdempotencyEvent.RecordLost lost) {
            log(What.LOST, lost.lease(), "RECORD " + lost.state());
        } else if (event instanceof IdempotencyEvent.DoubleEffectSuspected doubled) {
            log(What.LOST, doubled.lease(), "DOUBLE EFFECT SUSPECTED");
        }
    }

    private void claimed(RecordId record, Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            log(What.GRANTED, granted.lease(), granted.kind().name());
        } else {
            String answer = claim.getClass().getSimpleName().toUpperCase(Locale.ROOT);
            sink.write(What.ANSWERED, record.scope().name(), record.key().id(), answer, 0);
        }
    }

    private void log(What what, Lease lease, String detail) {
        RecordId record = lease.record();
        sink.write(what, record.scope().name(), record.key().id(), detail, lease.fence());
    }
}
