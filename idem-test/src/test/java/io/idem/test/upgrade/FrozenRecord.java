package io.idem.test.upgrade;

import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** A record of format 1 as an earlier version of idem read it: by the letter of the documentation, and by nothing else. */
final class FrozenRecord {

    private static final int STATE = 0xf;
    private static final int OPEN_LENGTH = 44;
    private static final int FENCE = 3;
    private static final int AT = 10;
    private static final int HEADER = 16;
    private static final int BODY = 32;

    private final byte[] bytes;

    FrozenRecord(byte[] bytes) {
        this.bytes = bytes;
        int length = bytes.length;
        boolean open = length == OPEN_LENGTH && (bytes[0] == 0x11 || bytes[0] == 0x13);
        boolean settled = length >= BODY && (bytes[0] == 0x12 || bytes[0] == 0x14);
        if (!open && !settled) {
            throw new IllegalStateException(length + " bytes that the earlier version does not understand");
        }
    }

    RecordState state() {
        return switch (bytes[0] & STATE) {
            case 1 -> RecordState.PENDING;
            case 2 -> RecordState.COMPLETED;
            case 3 -> RecordState.FAILED;
            default -> RecordState.REJECTED;
        };
    }

    int attempts() {
        return ByteBuffer.wrap(bytes).getShort(1) & 0xffff;
    }

    long fence() {
        return ByteBuffer.wrap(bytes).getLong(FENCE - 1) & (1L << 56) - 1;
    }

    private Instant at() {
        return Instant.ofEpochMilli(ByteBuffer.wrap(bytes).getLong(AT - 2) & (1L << 48) - 1);
    }

    private Fingerprint fingerprint() {
        boolean open = state() == RecordState.PENDING || state() == RecordState.FAILED;
        int start = open ? HEADER + OwnerToken.SIZE : HEADER;
        return Fingerprint.ofBytes(Arrays.copyOfRange(bytes, start, start + Fingerprint.SIZE));
    }

    StoredResult result() {
        if (state() != RecordState.COMPLETED || bytes.length == BODY) {
            return StoredResult.NONE;
        }
        int content = BODY + 1 + bytes[BODY];
        return StoredResult.of(
                new String(bytes, BODY + 1, bytes[BODY], StandardCharsets.US_ASCII),
                Arrays.copyOfRange(bytes, content, bytes.length));
    }

    String reason() {
        return state() == RecordState.REJECTED
                ? new String(bytes, BODY, bytes.length - BODY, StandardCharsets.UTF_8)
                : "";
    }

    RecordSnapshot snapshot(Scope scope) {
        return new RecordSnapshot(scope, state(), attempts(), fence(), fingerprint(), at(), result(), reason());
    }
}
