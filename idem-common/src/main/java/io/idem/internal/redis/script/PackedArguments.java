package io.idem.internal.redis.script;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Packs the arguments that the scripts take as one value, because every further argument costs Redis time. */
final class PackedArguments {

    static final int FENCE = 7;
    private static final int ASKED = OwnerToken.SIZE + Fingerprint.SIZE;
    private static final byte PENDING = 0x11;
    private static final int MICROS_IN_MILLI = 1000;

    private PackedArguments() {}

    /** Packs owner, fingerprint, and the fence floor if there is one. */
    static byte[] asked(AcquireRequest request) {
        boolean floor = request.fenceFloor() != 0;
        ByteBuffer packed = ByteBuffer.allocate(floor ? ASKED + FENCE : ASKED)
                .put(request.owner().toBytes())
                .put(request.fingerprint().toBytes());
        return (floor ? fence(packed, request.fenceFloor()) : packed).array();
    }

    /** Packs the grant of a lease and the bytes that follow it. */
    static byte[] granted(Lease lease, byte[] rest) {
        ByteBuffer packed = ByteBuffer.allocate(FENCE + OwnerToken.SIZE + rest.length);
        return fence(packed, lease.fence())
                .put(lease.owner().toBytes())
                .put(rest)
                .array();
    }

    /** Returns the record that a first grant has left; the grant began in the millisecond of its fence. */
    static byte[] firstGrant(byte[] asked, long fence, Duration lease) {
        long leaseEnd = fence / MICROS_IN_MILLI + lease.toMillis();
        ByteBuffer packed =
                ByteBuffer.allocate(PackedRecord.OPEN_SIZE).put(PENDING).putShort((short) 1);
        return fence(packed, fence)
                .putShort((short) (leaseEnd >>> Integer.SIZE))
                .putInt((int) leaseEnd)
                .put(asked, 0, ASKED)
                .array();
    }

    static ByteBuffer fence(ByteBuffer packed, long fence) {
        return packed.put((byte) (fence >>> (Integer.SIZE + Short.SIZE)))
                .putShort((short) (fence >>> Integer.SIZE))
                .putInt((int) fence);
    }
}
