package io.idem.demo.watch;

import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.demo.watch.WorkerEvent.Type;
import io.idem.spi.Claim;
import io.idem.spi.Lease;
import io.idem.spi.RecordId;
import java.util.Locale;
import org.springframework.stereotype.Component;

/** Logs what idem granted and settled. */
@Component
class WatchedWork implements IdempotencyEventListener {

    private final WorkerLog log;

    WatchedWork(WorkerLog log) {
        this.log = log;
    }

    @Override
    public void on(IdempotencyEvent event) {
        if (event instanceof IdempotencyEvent.Claimed claimed) {
            claimed(claimed.record(), claimed.claim());
        } else if (event instanceof IdempotencyEvent.Settled settled) {
            log(Type.SETTLED, settled.lease(), settled.state().name());
        } else if (event instanceof IdempotencyEvent.FoundInInbox found) {
            log(Type.FOUND_IN_INBOX, found.lease(), "");
        } else if (event instanceof IdempotencyEvent.LeaseLost lost) {
            log(Type.LOST, lost.lease(), "LEASE");
        } else if (event instanceof IdempotencyEvent.RecordLost lost) {
            log(Type.LOST, lost.lease(), "RECORD " + lost.state());
        } else if (event instanceof IdempotencyEvent.DoubleEffectSuspected doubled) {
            log(Type.LOST, doubled.lease(), "DOUBLE EFFECT SUSPECTED");
        }
    }

    private void claimed(RecordId record, Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            log(Type.GRANTED, granted.lease(), granted.kind().name());
        } else {
            String answer = claim.getClass().getSimpleName().toUpperCase(Locale.ROOT);
            log.write(Type.ANSWERED, record.scope().name(), record.key().id(), answer, 0);
        }
    }

    private void log(Type type, Lease lease, String detail) {
        RecordId record = lease.record();
        log.write(type, record.scope().name(), record.key().id(), detail, lease.fence());
    }
}
