package io.idem;

import java.time.Instant;

/**
 * What a record said when it was read.
 *
 * @param scope whose section of the key
 * @param state never {@link RecordState#ABSENT}
 * @param attempts number of grants
 * @param fence fence of the last grant
 * @param fingerprint of the payload, or {@link Fingerprint#NONE}
 * @param at by the store's clock: PENDING: end of the lease; FAILED: earliest retry; else the moment of settling
 * @param result of a COMPLETED record; else {@link StoredResult#NONE}
 * @param reason of a REJECTED record; else empty
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
