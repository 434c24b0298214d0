package io.idem.workshop.simulation.world;

import io.idem.Claim;
import io.idem.Inbox.Request;
import io.idem.RecordId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The failed attempts of an inbox that is the only store. Every method is one statement. */
final class FailureTable {

    private final World world;
    private final Map<RecordId, Failed> rows = new HashMap<>();

    FailureTable(World world) {
        this.world = world;
    }

    /**
     * The failures of a record.
     *
     * @param fence greatest fence of the failed attempts
     * @param notBefore virtual time of the earliest retry
     * @param at virtual time of the latest failure
     */
    record Failed(int attempts, long fence, long notBefore, long at) {}

    Optional<Failed> of(RecordId record) {
        return Optional.ofNullable(rows.get(record));
    }

    int attempts(RecordId record) {
        return of(record).map(Failed::attempts).orElse(0);
    }

    /** Returns the answer to a request that may not run; empty if it may. */
    Optional<Claim> refusal(Request request) {
        return of(request.record()).flatMap(failed -> refusal(request, failed));
    }

    private Optional<Claim> refusal(Request request, Failed failed) {
        if (request.maxAttempts() > 0 && failed.attempts >= request.maxAttempts()) {
            return Optional.of(new Claim.Exhausted(failed.attempts, failed.fence));
        }
        long wait = failed.notBefore - world.kernel().now();
        return wait > 0 ? Optional.of(new Claim.NotYet(Duration.ofNanos(wait))) : Optional.empty();
    }

    void count(Request attempt, Duration delay) {
        long now = world.kernel().now();
        Failed added = new Failed(1, attempt.lease().fence(), now + delay.toNanos(), now);
        rows.merge(
                attempt.record(),
                added,
                (old, fresh) -> new Failed(
                        old.attempts + 1,
                        Math.max(old.fence, fresh.fence),
                        Math.max(old.notBefore, fresh.notBefore),
                        now));
    }

    /** Lets the next attempt begin at once; returns whether there was a failure of this fence. */
    boolean release(RecordId record, long fence) {
        Optional<Failed> seen = of(record).filter(failed -> failed.fence == fence);
        seen.ifPresent(failed -> rows.put(
                record, new Failed(failed.attempts, fence, world.kernel().now(), failed.at)));
        return seen.isPresent();
    }

    void remove(RecordId record) {
        rows.remove(record);
    }

    List<RecordId> records() {
        return List.copyOf(rows.keySet());
    }
}
