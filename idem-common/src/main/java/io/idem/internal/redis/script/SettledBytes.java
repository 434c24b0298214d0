package io.idem.internal.redis.script;

import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.internal.Frame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Packs a settled record into the form that {@link PackedRecord} reads; {@code docs/storage-format.md} describes it. */
public final class SettledBytes {

    private static final byte COMPLETED = 0x12;
    private static final byte REJECTED = 0x14;

    private SettledBytes() {}

    public static byte[] of(RecordSnapshot settled) {
        byte[] rest = settled.state() == RecordState.COMPLETED
                ? Frame.of(settled.result())
                : settled.reason().getBytes(StandardCharsets.UTF_8);
        long at = settled.at().toEpochMilli();
        ByteBuffer packed = ByteBuffer.allocate(PackedRecord.SETTLED_SIZE + rest.length)
                .put(settled.state() == RecordState.COMPLETED ? COMPLETED : REJECTED)
                .putShort((short) settled.attempts());
        return PackedArguments.fence(packed, settled.fence())
                .putShort((short) (at >>> Integer.SIZE))
                .putInt((int) at)
                .put(settled.fingerprint().toBytes())
                .put(rest)
                .array();
    }
}
