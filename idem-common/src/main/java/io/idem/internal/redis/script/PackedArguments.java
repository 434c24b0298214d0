package io.idem.internal.redis.script;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordState;
import java.nio.ByteBuffer;

/** Packs the arguments that the scripts take as one value, because every further argument costs Redis time. */
final class PackedArguments {

    private static final int ASKED = OwnerToken.SIZE + Fingerprint.SIZE;
    private static final int MICROS_IN_MILLI = 1000;

    private PackedArguments() {}

    /** Packs owner, fingerprint, and the fence floor if there is one. */
    static byte[] asked(AcquireRequest request) {
        int floor = request.fenceFloor() == 0 ? 0 : PackedRecord.FENCE_BYTES;
        ByteBuffer packed = ByteBuffer.allocate(ASKED + floor)
                .put(request.owner().toBytes())
                .put(request.fingerprint().toBytes());
        return PackedRecord.put(packed, request.fenceFloor(), floor).array();
    }

    /** Packs the grant of a lease and the bytes that follow it. */
    static byte[] granted(Lease lease, byte[] rest) {
        ByteBuffer packed = ByteBuffer.allocate(PackedRecord.FENCE_BYTES + OwnerToken.SIZE + rest.length);
        return PackedRecord.put(packed, lease.fence(), PackedRecord.FENCE_BYTES)
                .put(lease.owner().toBytes())
                .put(rest)
                .array();
    }

    /** Returns the record that a first grant has left; the grant began in the millisecond of its fence. */
    static byte[] firstGrant(byte[] asked, long fence, long leaseMillis) {
        long leaseEnd = fence / MICROS_IN_MILLI + leaseMillis;
        byte[] granted = new byte[PackedRecord.OPEN_SIZE];
        PackedRecord.head(granted, RecordState.PENDING, 1, fence, leaseEnd).put(asked, 0, ASKED);
        return granted;
    }
}
