package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.worker.Lane;
import org.jspecify.annotations.Nullable;

/**
 * A fault that was injected.
 *
 * @param faultClass class of the fault
 * @param detail description of the fault
 * @param struckAt start in milliseconds since the epoch
 * @param healedAt time in milliseconds since the epoch at which the target worked again or its replacement started
 * @param scope scope of the work that was held up; null if unknown
 * @param key key of the work that was held up; null if unknown
 * @param lane single lane that was struck; null if all lanes of the class were
 */
public record FaultRecord(
        FaultClass faultClass,
        String detail,
        long struckAt,
        long healedAt,
        @Nullable String scope,
        @Nullable String key,
        @Nullable String lane) {

    /** Returns whether the fault counts for a lane. */
    public boolean hits(Lane candidate) {
        return lane == null ? Reach.of(faultClass).test(candidate) : lane.equals(candidate.id());
    }

    /** Returns a fault that strikes all work in progress. */
    public static FaultRecord of(FaultClass faultClass, String detail, long struckAt) {
        return new FaultRecord(faultClass, detail, struckAt, System.currentTimeMillis(), null, null, null);
    }

    /** Returns a fault that strikes all work in progress on one lane. */
    static FaultRecord of(FaultClass faultClass, String detail, long struckAt, Lane lane) {
        return new FaultRecord(faultClass, detail, struckAt, System.currentTimeMillis(), null, null, lane.id());
    }
}
