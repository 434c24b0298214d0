package io.idem.test.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The protocol's invariants I1, I5 and I6, checked from the answers of one store alone. Knows nothing of how records are
 * stored: it keeps its own books.
 */
final class Invariants {

    private final InstantSource clock;
    private final Map<RecordId, LiveLease> live = new HashMap<>();
    private final Map<RecordId, Long> fences = new HashMap<>();
    private final Map<RecordId, Long> forced = new HashMap<>();
    private final Map<RecordId, StoredResult> results = new HashMap<>();

    /** Invariants in the time of {@code clock}, which moves with the steps only. */
    Invariants(InstantSource clock) {
        this.clock = clock;
    }

    /** Takes in an answer; {@code settled} is what a step settled or renewed. */
    void check(Step step, Optional<Lease> settled, Object answer) {
        if (step instanceof Step.Acquire acquire) {
            claimed(acquire, (Claim) answer);
        } else if (step instanceof Step.Reopen && answer instanceof StoreAnswer.Ok) {
            results.remove(step.record());
            live.remove(step.record());
        } else if (step instanceof Step.Force force && answer instanceof StoreAnswer.Ok) {
            forced(force, settled.orElseThrow());
        } else if (step instanceof Step.Renew && answer instanceof StoreAnswer.Ok) {
            Lease lease = settled.orElseThrow();
            assertNotForced(lease);
            live.put(step.record(), new LiveLease(lease.owner(), clock.instant().plus(lease.duration())));
        } else if (answer instanceof StoreAnswer.Ok ok) {
            settled.ifPresent(this::assertNotForced);
            settled(step, ok);
        }
    }

    private void forced(Step.Force step, Lease ended) {
        long fence = ended.fence() + step.before() + 1;
        forced.merge(step.record(), fence, Math::max);
        fences.merge(step.record(), fence, Math::max);
        live.remove(step.record());
        if (step.end() == ForcedEnd.COMPLETED) {
            results.put(step.record(), StoredResult.NONE);
        }
    }

    /** I8: an operator's end is a later owner, though nobody's: what has an older fence writes no more. */
    private void assertNotForced(Lease lease) {
        assertThat(lease.fence())
                .as("fence of an owner whose write on %s was accepted", lease.record())
                .isGreaterThan(forced.getOrDefault(lease.record(), 0L));
    }

    private void claimed(Step.Acquire step, Claim claim) {
        if (claim instanceof Claim.Replay replay) {
            assertThat(replay.result())
                    .as("I5: every replay equals the first result")
                    .isEqualTo(results.get(step.record()));
        } else if (claim instanceof Claim.Granted granted) {
            granted(step, granted);
        }
    }

    private void granted(Step.Acquire step, Claim.Granted granted) {
        RecordId record = step.record();
        LiveLease other = live.get(record);
        Instant end = clock.instant().plus(step.lease());
        if (granted.kind() == Claim.GrantKind.REENTRANT) {
            assertThat(granted.lease().fence())
                    .as("fence of a re-entrant grant")
                    .isEqualTo(fences.get(record));
            end = other != null && other.end().isAfter(end) ? other.end() : end;
        } else {
            assertThat(other == null || !other.end().isAfter(clock.instant()))
                    .as("I1: no other owner's lease is live in %s", record)
                    .isTrue();
            assertThat(granted.lease().fence())
                    .as("I6: fences of distinct grants of %s increase", record)
                    .isGreaterThan(fences.getOrDefault(record, 0L));
            results.remove(record);
        }
        fences.put(record, granted.lease().fence());
        live.put(record, new LiveLease(step.owner(), end));
    }

    private void settled(Step step, StoreAnswer.Ok answer) {
        live.remove(step.record());
        if (step instanceof Step.Complete) {
            StoredResult first = results.putIfAbsent(step.record(), answer.result());
            assertThat(answer.result())
                    .as("I5: a repeated completion answers the first result")
                    .isEqualTo(first == null ? answer.result() : first);
        }
    }

    private record LiveLease(OwnerToken owner, Instant end) {}
}
