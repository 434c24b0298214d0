package io.idem.test.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The protocol's invariants I1, I5 and I6, and that no step which was done is lost or changed while its work goes on, checked
 * from the answers of one store alone. Knows nothing of how records are
 * stored: it keeps its own books.
 */
final class Invariants {

    private final InstantSource clock;
    private final Map<RecordId, LiveLease> live = new HashMap<>();
    private final Map<RecordId, Long> fences = new HashMap<>();
    private final Map<RecordId, Long> forced = new HashMap<>();
    private final Map<RecordId, StoredResult> results = new HashMap<>();
    private final Map<RecordId, Map<String, StoredResult>> done = new HashMap<>();

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
        } else if (answer instanceof StoreAnswer.Recalled recalled) {
            assertLatest(settled.orElseThrow());
            recalled(step.record(), recalled.steps().steps());
        } else if (step instanceof Step.Remember remember && answer instanceof StoreAnswer.Ok) {
            assertLatest(settled.orElseThrow());
            remembered(remember);
        } else if (step instanceof Step.Erase && answer instanceof StoreAnswer.Ok) {
            results.computeIfPresent(step.record(), (record, result) -> erased(result));
            done.getOrDefault(step.record(), new HashMap<>()).replaceAll((id, result) -> erased(result));
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
            results.put(step.record(), step.end().result());
            done.remove(step.record());
        }
    }

    private static StoredResult erased(StoredResult result) {
        return result.equals(StoredResult.NONE) ? result : StoredResult.OMITTED;
    }

    /** A stale owner neither adds steps nor reads any. */
    private void assertLatest(Lease lease) {
        assertThat(lease.fence())
                .as("fence of an owner that may use the steps of %s", lease.record())
                .isEqualTo(fences.get(lease.record()));
    }

    private void remembered(Step.Remember step) {
        if (step.kind() == Kind.DONE) {
            done.computeIfAbsent(step.record(), none -> new HashMap<>()).putIfAbsent(step.id(), step.result());
        }
    }

    private void recalled(RecordId record, List<RememberedStep> steps) {
        Map<String, StoredResult> found = new HashMap<>();
        for (RememberedStep step : steps) {
            if (step.kind() == Kind.DONE) {
                assertThat(found.put(step.id(), step.result()))
                        .as("another result of %s in %s", step.id(), record)
                        .isNull();
            }
        }
        assertThat(found)
                .as("P2, P3: the steps of %s that were done, with their first results", record)
                .isEqualTo(done.getOrDefault(record, Map.of()));
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
            if (granted.kind() == Claim.GrantKind.FRESH) {
                done.remove(record);
            }
        }
        fences.put(record, granted.lease().fence());
        live.put(record, new LiveLease(step.owner(), end));
    }

    private void settled(Step step, StoreAnswer.Ok answer) {
        live.remove(step.record());
        if (step instanceof Step.Complete) {
            done.remove(step.record());
            StoredResult first = results.putIfAbsent(step.record(), answer.result());
            assertThat(answer.result())
                    .as("I5: a repeated completion answers the first result")
                    .isEqualTo(first == null ? answer.result() : first);
        }
    }

    private record LiveLease(OwnerToken owner, Instant end) {}
}
