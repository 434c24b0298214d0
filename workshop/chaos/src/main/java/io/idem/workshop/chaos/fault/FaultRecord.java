package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.worker.Lane;
import org.jspecify.annotations.Nullable;

/**
 * A fault that happened.
 *
 * @param faultClass which class
 * @param detail what exactly
 * @param struckAt milliseconds since the epoch
 * @param healedAt when whatever was hurt worked again or began to be replaced
 * @param scope whose work was held up at the moment, if that is known
 * @param key of that work
 * @param lane the only one that was hit; null if it was all that the class reaches
 */
public record FaultRecord(
        FaultClass faultClass,
        String detail,
        long struckAt,
        long healedAt,
        @Nullable String scope,
        @Nullable String key,
        @Nullable String lane) {

    /** Whether it counts as a fault of a lane. */
    public boolean hits(Lane candidate) {
        return lane == null ? Reach.of(faultClass).test(candidate) : lane.equals(candidate.id());
    }

    /** A fault that hits whatever is under way. */
    public static FaultRecord of(FaultClass faultClass, String detail, long struckAt) {
        return new FaultRecord(faultClass, detail, struckAt, System.currentTimeMillis(), null, null, null);
    }

    /** A fault that hits whatever is under way on one lane. */
    static FaultRecord of(FaultClass faultClass, String detail, long struckAt, Lane lane) {
        return new FaultRecord(faultClass, detail, struckAt, System.currentTimeMillis(), null, null, lane.id());
    }
}
