package io.idem.workshop.outside;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The bytes stored under the name of a record. Two records are equal if all bytes are. */
public final class RawRecord {

    private static final List<String> STATES = List.of("?", "PENDING", "COMPLETED", "FAILED", "REJECTED");
    private static final int PENDING_LENGTH = 44;
    private static final int FIRST_FENCE_BYTE = 3;
    private static final int AT_OFFSET = 10;
    private static final int SHORT_SIZE = 6;

    private final byte[] bytes;

    RawRecord(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** Returns the bytes of a lease whose owner does not exist. */
    static byte[] pending(long grantedAt, long leaseEnds) {
        ByteBuffer record = ByteBuffer.allocate(PENDING_LENGTH);
        record.put((byte) 0x11).putShort((short) 1).put((byte) 0);
        put48(record, grantedAt * 1000);
        put48(record, leaseEnds);
        record.put(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
        return record.array();
    }

    private static void put48(ByteBuffer target, long value) {
        target.putShort((short) (value >> Integer.SIZE)).putInt((int) value);
    }

    /** Returns the name of its state. */
    public String state() {
        return STATES.get(bytes[0] & 0x0f);
    }

    /** Returns the number of grants. */
    public int attempts() {
        return ByteBuffer.wrap(bytes).getShort(1);
    }

    /** Returns the fencing token of the last grant. */
    public long fence() {
        return number(FIRST_FENCE_BYTE, AT_OFFSET);
    }

    /** Returns the end of the lease of a PENDING record, in milliseconds by the clock of Redis. */
    public long at() {
        return number(AT_OFFSET, AT_OFFSET + SHORT_SIZE);
    }

    private long number(int from, int to) {
        long value = 0;
        for (int index = from; index < to; index++) {
            value = (value << Byte.SIZE) | (bytes[index] & 0xff);
        }
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RawRecord that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return state() + " " + HexFormat.of().formatHex(bytes);
    }
}
