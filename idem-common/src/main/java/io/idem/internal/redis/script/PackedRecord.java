package io.idem.internal.redis.script;

import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.internal.Frame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * A record decoded from its bytes, which {@code docs/storage-format.md} describes.
 *
 * @param at milliseconds by the clock of Redis
 * @param owner all zero if the format keeps no owner for the state
 */
public record PackedRecord(
        RecordState state,
        int attempts,
        long fence,
        long at,
        OwnerToken owner,
        Fingerprint fingerprint,
        StoredResult result,
        String reason) {

    private static final int VERSION = 1;

    /** The states by the number that stands for them. */
    private static final List<RecordState> STATES = List.of(
            RecordState.ABSENT, RecordState.PENDING, RecordState.COMPLETED, RecordState.FAILED, RecordState.REJECTED);

    private static final int HEADER = 16;
    static final int OPEN_SIZE = HEADER + OwnerToken.SIZE + Fingerprint.SIZE;
    static final int SETTLED_SIZE = HEADER + Fingerprint.SIZE;
    private static final OwnerToken NOBODY = OwnerToken.ofBytes(new byte[OwnerToken.SIZE]);
    private static final int MASK_8 = 0xff;
    private static final int MASK_16 = 0xffff;
    static final int FENCE_BYTES = 7;
    static final int AT_BYTES = 6;

    /**
     * Decodes a record.
     *
     * @throws UnreadableRecordException if the bytes are not a record
     */
    public static PackedRecord decode(RecordId id, byte[] bytes) {
        int first = bytes.length == 0 ? 0 : bytes[0] & MASK_8;
        RecordState state = first >> 4 == VERSION ? stateOf(first & 0xf) : RecordState.ABSENT;
        boolean open = state == RecordState.PENDING || state == RecordState.FAILED;
        if (state == RecordState.ABSENT || (open ? bytes.length != OPEN_SIZE : bytes.length < SETTLED_SIZE)) {
            throw new UnreadableRecordException(id, bytes.length + " bytes that begin with 0x%02x".formatted(first));
        }
        return decode(id, state, open, ByteBuffer.wrap(bytes, 1, bytes.length - 1));
    }

    private static RecordState stateOf(int number) {
        return number < STATES.size() ? STATES.get(number) : RecordState.ABSENT;
    }

    private static PackedRecord decode(RecordId id, RecordState state, boolean open, ByteBuffer from) {
        return new PackedRecord(
                state,
                from.getShort() & MASK_16,
                unsigned(from, FENCE_BYTES),
                unsigned(from, AT_BYTES),
                open ? OwnerToken.ofBytes(Frame.bytes(from, OwnerToken.SIZE)) : NOBODY,
                Fingerprint.ofBytes(Frame.bytes(from, Fingerprint.SIZE)),
                state == RecordState.COMPLETED ? result(id, from) : StoredResult.NONE,
                state == RecordState.REJECTED
                        ? new String(Frame.bytes(from, from.remaining()), StandardCharsets.UTF_8)
                        : "");
    }

    static StoredResult result(RecordId id, ByteBuffer from) {
        if (!from.hasRemaining()) {
            return StoredResult.NONE;
        }
        int length = from.get() & MASK_8;
        if (length > from.remaining()) {
            throw new UnreadableRecordException(id, "a result whose codec name of " + length + " bytes is cut off");
        }
        try {
            String codec = new String(Frame.bytes(from, length), StandardCharsets.US_ASCII);
            return StoredResult.of(codec, Frame.bytes(from, from.remaining()));
        } catch (IllegalArgumentException noName) {
            throw new UnreadableRecordException(id, "a result without the name of a codec");
        }
    }

    public RecordSnapshot snapshot(RecordId id) {
        return new RecordSnapshot(
                id.scope(), state, attempts, fence, fingerprint, Instant.ofEpochMilli(at), result, reason);
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
