package io.idem.internal.record;

import io.idem.Claim.GrantKind;
import java.util.concurrent.TimeUnit;

/**
 * The fence of a record. That of a new grant is the store's time of the write in microseconds, or {@code least} if that
 * is greater; later writes repeat the number.
 *
 * @param stamped whether the time of the write counts
 * @param takeover whether the grant was a takeover, whose fences are odd; all others are even
 */
public record StoredFence(long least, boolean stamped, boolean takeover) {

    public static StoredFence exactly(long fence) {
        return new StoredFence(fence, false, false);
    }

    static StoredFence above(long others, GrantKind kind) {
        return new StoredFence(others + 1, true, kind == GrantKind.TAKEOVER);
    }

    long of(long writtenAt) {
        GrantKind kind = takeover ? GrantKind.TAKEOVER : GrantKind.FRESH;
        return stamped ? kind.fence(Math.max(least, TimeUnit.MILLISECONDS.toMicros(writtenAt))) : least;
    }
}
