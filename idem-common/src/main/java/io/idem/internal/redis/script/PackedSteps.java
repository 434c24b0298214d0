package io.idem.internal.redis.script;

import io.idem.RecordId;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.internal.Frame;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of the steps that are remembered beside a record: format, life 7, end of the record 6, and each step: kind, length of its id, id,
 * fence 7, length of its result 4, result as in a record.
 */
public final class PackedSteps {

    private static final byte FORMAT = 0x33;
    private static final int HEAD = 1 + PackedRecord.FENCE_BYTES;
    private static final int DONE = 1;
    private static final int BEGUN = 2;

    private PackedSteps() {}

    /** Encodes a step behind what the steps of its life begin with, without the end of the record. */
    static byte[] encode(long life, RememberedStep step) {
        byte[] id = step.id().getBytes(StandardCharsets.US_ASCII);
        byte[] result = Frame.of(step.result());
        ByteBuffer packed = ByteBuffer.allocate(
                        HEAD + 2 + id.length + PackedRecord.FENCE_BYTES + Integer.BYTES + result.length)
                .put(FORMAT);
        PackedRecord.put(packed, life, PackedRecord.FENCE_BYTES)
                .put((byte) (step.kind() == Kind.DONE ? DONE : BEGUN))
                .put((byte) id.length)
                .put(id);
        return PackedRecord.put(packed, step.fence(), PackedRecord.FENCE_BYTES)
                .putInt(result.length)
                .put(result)
                .array();
    }

    /**
     * Decodes the steps of a record.
     *
     * @throws UnreadableRecordException if the bytes are not steps of this format
     */
    public static RememberedSteps decode(RecordId record, byte[] bytes) {
        try {
            return decode(record, ByteBuffer.wrap(bytes));
        } catch (BufferUnderflowException cutOff) {
            throw new UnreadableRecordException(record, "steps of " + bytes.length + " bytes that are cut off");
        }
    }

    private static RememberedSteps decode(RecordId record, ByteBuffer from) {
        if (from.get() != FORMAT) {
            throw new UnreadableRecordException(record, "steps of another format");
        }
        long life = PackedRecord.unsigned(from, PackedRecord.FENCE_BYTES);
        long unused = PackedRecord.unsigned(from, PackedRecord.AT_BYTES);
        List<RememberedStep> steps = new ArrayList<>();
        while (from.hasRemaining()) {
            steps.add(step(record, from));
        }
        return new RememberedSteps(life, steps);
    }

    private static RememberedStep step(RecordId record, ByteBuffer from) {
        byte kind = from.get();
        if (kind != DONE && kind != BEGUN) {
            throw new UnreadableRecordException(record, "a step of the unknown kind " + kind);
        }
        String id = Frame.text(from);
        long fence = PackedRecord.unsigned(from, PackedRecord.FENCE_BYTES);
        StoredResult result = PackedRecord.result(record, Frame.bytes(from, from.getInt()));
        return new RememberedStep(id, kind == DONE ? Kind.DONE : Kind.BEGUN, fence, result);
    }
}
