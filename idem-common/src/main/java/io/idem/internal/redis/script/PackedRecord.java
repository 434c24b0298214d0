package io.idem.internal.redis.script;

import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.internal.Frame;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** The bytes of a record, which {@code docs/storage-format.md} describes; its moments are by the clock of Redis. */
public final class PackedRecord {

    private static final int VERSION = 1;

    /** The states by the number that stands for them. */
    private static final List<RecordState> STATES = List.of(
            RecordState.ABSENT, RecordState.PENDING, RecordState.COMPLETED, RecordState.FAILED, RecordState.REJECTED);

    private static final int HEADER = 16;
    static final int OPEN_SIZE = HEADER + OwnerToken.SIZE + Fingerprint.SIZE;
    static final int SETTLED_SIZE = HEADER + Fingerprint.SIZE;
    private static final int MASK_8 = 0xff;
    private static final int MASK_16 = 0xffff;
    static final int FENCE_BYTES = 7;
    static final int AT_BYTES = 6;

    private PackedRecord() {}

    /**
     * Decodes a record.
     *
     * @throws UnreadableRecordException if the bytes are not a record
     */
    public static RecordSnapshot decode(RecordId id, byte[] bytes) {
        RecordState state = stateOf(bytes);
        boolean open = state == RecordState.PENDING || state == RecordState.FAILED;
        if (state == RecordState.ABSENT || (open ? bytes.length != OPEN_SIZE : bytes.length < SETTLED_SIZE)) {
            throw new UnreadableRecordException(
                    id,
                    bytes.length
                            + " bytes that begin with 0x%02x".formatted(bytes.length == 0 ? 0 : bytes[0] & MASK_8));
        }
        ByteBuffer from = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        int attempts = from.getShort() & MASK_16;
        long fence = unsigned(from, FENCE_BYTES);
        Instant at = Instant.ofEpochMilli(unsigned(from, AT_BYTES));
        from.position(open ? HEADER + OwnerToken.SIZE : HEADER);
        Fingerprint fingerprint = Fingerprint.ofBytes(Frame.bytes(from, Fingerprint.SIZE));
        byte[] rest = Frame.bytes(from, from.remaining());
        return new RecordSnapshot(
                id.scope(),
                state,
                attempts,
                fence,
                fingerprint,
                at,
                state == RecordState.COMPLETED ? result(id, rest) : StoredResult.NONE,
                state == RecordState.REJECTED ? new String(rest, StandardCharsets.UTF_8) : "");
    }

    private static RecordState stateOf(byte[] bytes) {
        int number = bytes.length == 0 ? 0 : bytes[0] - (VERSION << 4);
        return number > 0 && number < STATES.size() ? STATES.get(number) : RecordState.ABSENT;
    }

    /** Returns whether a record is PENDING and held by an owner; call only if it can be decoded. */
    static boolean isPendingOf(OwnerToken owner, byte[] bytes) {
        return stateOf(bytes) == RecordState.PENDING
                && Arrays.equals(bytes, HEADER, HEADER + OwnerToken.SIZE, owner.toBytes(), 0, OwnerToken.SIZE);
    }

    /** Decodes a result; no bytes are no result. */
    static StoredResult result(RecordId id, byte[] frame) {
        try {
            return Frame.read(frame);
        } catch (BufferUnderflowException cutOff) {
            throw new UnreadableRecordException(id, "a result whose codec name is cut off");
        } catch (IllegalArgumentException noName) {
            throw new UnreadableRecordException(id, "a result without the name of a codec");
        }
    }

    /** Encodes a settled record. */
    public static byte[] encode(RecordSnapshot settled) {
        byte[] rest = settled.state() == RecordState.COMPLETED
                ? Frame.of(settled.result())
                : settled.reason().getBytes(StandardCharsets.UTF_8);
        byte[] packed = new byte[SETTLED_SIZE + rest.length];
        head(
                        packed,
                        settled.state(),
                        settled.attempts(),
                        settled.fence(),
                        settled.at().toEpochMilli())
                .put(settled.fingerprint().toBytes())
                .put(rest);
        return packed;
    }

    /** Writes what every record begins with, and returns the buffer for the rest. */
    static ByteBuffer head(byte[] record, RecordState state, int attempts, long fence, long at) {
        ByteBuffer packed = ByteBuffer.wrap(record)
                .put((byte) (VERSION << 4 | STATES.indexOf(state)))
                .putShort((short) attempts);
        return put(put(packed, fence, FENCE_BYTES), at, AT_BYTES);
    }

    /** Appends a number in that many bytes, which {@link #unsigned} reads. */
    static ByteBuffer put(ByteBuffer packed, long value, int bytes) {
        for (int i = bytes - 1; i >= 0; i--) {
            packed.put((byte) (value >>> (i * Byte.SIZE)));
        }
        return packed;
    }

    static long unsigned(ByteBuffer from, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = (value << Byte.SIZE) | (from.get() & MASK_8);
        }
        return value;
    }
}
