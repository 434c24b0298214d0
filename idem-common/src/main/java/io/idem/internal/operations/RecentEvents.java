package io.idem.internal.operations;

import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last takeovers and failures of this process, for operators. Thread-safe; bounded. */
public final class RecentEvents implements IdempotencyEventListener {

    /** The number of events of each kind that are kept. */
    public static final int MOST = 100;

    private final InstantSource clock;
    private final Deque<Recent> takeovers = new ArrayDeque<>();
    private final Deque<Recent> failures = new ArrayDeque<>();

    public RecentEvents(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void on(IdempotencyEvent event) {
        if (event instanceof IdempotencyEvent.Claimed claimed
                && claimed.claim() instanceof Claim.Granted granted
                && granted.kind() == GrantKind.TAKEOVER) {
            keep(takeovers, "takeover", granted.lease(), "");
        } else if (event instanceof IdempotencyEvent.Settled settled && settled.state() != RecordState.COMPLETED) {
            keep(
                    failures,
                    settled.state() == RecordState.REJECTED ? "rejected" : "failed",
                    settled.lease(),
                    settled.why());
        } else if (event instanceof IdempotencyEvent.LeaseLost lost) {
            keep(failures, "lease-lost", lost.lease(), "");
        } else if (event instanceof IdempotencyEvent.DoubleEffectSuspected suspected) {
            keep(failures, "double-effect-suspected", suspected.lease(), "");
        }
    }

    private synchronized void keep(Deque<Recent> events, String what, Lease lease, String why) {
        if (events.size() == MOST) {
            events.removeLast();
        }
        events.addFirst(new Recent(
                clock.instant(),
                what,
                lease.record().key().id(),
                lease.record().scope().name(),
                lease.knownFence(),
                lease.attempt(),
                why));
    }

    /** Returns the last takeovers, latest first. */
    public synchronized List<Recent> takeovers() {
        return List.copyOf(takeovers);
    }

    /** Returns the last failures, latest first. */
    public synchronized List<Recent> failures() {
        return List.copyOf(failures);
    }

    /** Returns the last failures of a record, latest first. */
    public List<Recent> failuresOf(RecordId record) {
        return failures().stream()
                .filter(event -> event.keyId().equals(record.key().id())
                        && event.scope().equals(record.scope().name()))
                .toList();
    }

    /**
     * An event of a record.
     *
     * @param at the time by this machine's clock
     * @param what the kind of event
     * @param keyId the digest of the key
     * @param why the class of the exception, or what else ended the attempt; empty if that is not known
     */
    public record Recent(Instant at, String what, String keyId, String scope, long fence, int attempt, String why) {}
}
