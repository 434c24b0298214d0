package io.idem;

import java.time.Instant;

/**
 * The content of a record when it was read. Immutable.
 *
 * @param scope the scope of the record
 * @param state the state, never {@link RecordState#ABSENT}
 * @param attempts the number of grants
 * @param fence the fence of the last grant
 * @param fingerprint the fingerprint of the payload, or {@link Fingerprint#NONE}
 * @param at a moment by the store's clock: of a PENDING record the end of the lease, of a FAILED one the earliest
 *     retry, else the moment of settling
 * @param result the result of a COMPLETED record; else {@link StoredResult#NONE}
 * @param reason the reason of a REJECTED record; else empty
 */
public record RecordSnapshot(
        Scope scope,
        RecordState state,
        int attempts,
        long fence,
        Fingerprint fingerprint,
        Instant at,
        StoredResult result,
        String reason) {}
