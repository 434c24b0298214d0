package io.idem.e2e.chaos.fault;

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
 */
public record FaultRecord(
        FaultClass faultClass,
        String detail,
        long struckAt,
        long healedAt,
        @Nullable String scope,
        @Nullable String key) {

    /** A fault that hits whatever is under way. */
    static FaultRecord of(FaultClass faultClass, String detail, long struckAt) {
        return new FaultRecord(faultClass, detail, struckAt, System.currentTimeMillis(), null, null);
    }
}
