package io.idem.zookeeper;

import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.RecordState;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoredResult;
import io.idem.internal.Frame;
import io.idem.internal.record.Moment;
import io.idem.internal.record.StoredFence;
import io.idem.internal.record.StoredRecord;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a record in a node. Numbers are big-endian: format version (high nibble, 1) and state 1, flags of the
 * fence 1, attempts 2, fence 8, the moments {@code at} and {@code kept} as absolute 8 and relative 8 each, owner 12,
 * fingerprint 16, length of the result or reason 4 and its bytes, then the steps if there are any.
 */
final class RecordBytes {

    private static final int FORMAT = 1;
    private static final int NIBBLE = 4;
    private static final int LOW_NIBBLE = 0x0f;
    private static final int STAMPED = 1;
    private static final int TAKEOVER = 2;
    private static final int DONE = 1;
    private static final int BEGUN = 2;
    private static final OwnerToken NOBODY = OwnerToken.ofBytes(new byte[OwnerToken.SIZE]);
    private static final List<RecordState> STATES = List.of(
            RecordState.ABSENT, RecordState.PENDING, RecordState.COMPLETED, RecordState.FAILED, RecordState.REJECTED);

    private RecordBytes() {}

    static byte[] encode(StoredRecord record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream to = new DataOutputStream(bytes)) {
            write(record, to);
            write(record.steps(), to);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(StoredRecord record, DataOutputStream to) throws IOException {
        StoredFence fence = record.fence();
        OwnerToken owner = record.owner();
        to.writeByte(FORMAT << NIBBLE | STATES.indexOf(record.state()));
        to.writeByte((fence.stamped() ? STAMPED : 0) | (fence.takeover() ? TAKEOVER : 0));
        to.writeShort(record.attempts());
        to.writeLong(fence.least());
        for (Moment moment : List.of(record.at(), record.kept())) {
            to.writeLong(moment.absolute());
            to.writeLong(moment.relative());
        }
        to.write((owner == null ? NOBODY : owner).toBytes());
        to.write(record.fingerprint().toBytes());
        boolean rejected = record.state() == RecordState.REJECTED;
        writeSized(rejected ? record.reason().getBytes(StandardCharsets.UTF_8) : Frame.of(record.result()), to);
    }

    private static void write(RememberedSteps steps, DataOutputStream to) throws IOException {
        if (!steps.steps().isEmpty()) {
            to.writeLong(steps.life());
        }
        for (RememberedStep step : steps.steps()) {
            to.writeByte(step.kind() == Kind.DONE ? DONE : BEGUN);
            to.write(Frame.of(step.id()));
            to.writeLong(step.fence());
            writeSized(Frame.of(step.result()), to);
        }
    }

    private static void writeSized(byte[] bytes, DataOutputStream to) throws IOException {
        to.writeInt(bytes.length);
        to.write(bytes);
    }

    /**
     * Decodes a record; null if the bytes are not a record of this format.
     */
    static @Nullable StoredRecord decode(byte[] bytes) {
        try {
            return decode(ByteBuffer.wrap(bytes));
        } catch (BufferUnderflowException | IllegalArgumentException foreign) {
            return null;
        }
    }

    private static @Nullable StoredRecord decode(ByteBuffer from) {
        byte first = from.get();
        int number = first & LOW_NIBBLE;
        if (first >> NIBBLE != FORMAT || number == 0 || number >= STATES.size()) {
            return null;
        }
        RecordState state = STATES.get(number);
        byte flags = from.get();
        int attempts = Short.toUnsignedInt(from.getShort());
        StoredFence fence = new StoredFence(from.getLong(), (flags & STAMPED) != 0, (flags & TAKEOVER) != 0);
        Moment at = new Moment(from.getLong(), from.getLong());
        Moment kept = new Moment(from.getLong(), from.getLong());
        OwnerToken owner = OwnerToken.ofBytes(Frame.bytes(from, OwnerToken.SIZE));
        Fingerprint fingerprint = Fingerprint.ofBytes(Frame.bytes(from, Fingerprint.SIZE));
        byte[] value = Frame.bytes(from, from.getInt());
        boolean rejected = state == RecordState.REJECTED;
        return new StoredRecord(
                state,
                attempts,
                fence,
                at,
                kept,
                owner.equals(NOBODY) ? null : owner,
                fingerprint,
                rejected ? StoredResult.NONE : Frame.read(value),
                rejected ? new String(value, StandardCharsets.UTF_8) : "",
                steps(from));
    }

    private static RememberedSteps steps(ByteBuffer from) {
        if (!from.hasRemaining()) {
            return RememberedSteps.NONE;
        }
        long life = from.getLong();
        List<RememberedStep> steps = new ArrayList<>();
        while (from.hasRemaining()) {
            steps.add(step(from));
        }
        return new RememberedSteps(life, steps);
    }

    private static RememberedStep step(ByteBuffer from) {
        Kind kind = from.get() == DONE ? Kind.DONE : Kind.BEGUN;
        String id = Frame.text(from);
        return new RememberedStep(id, kind, from.getLong(), Frame.read(Frame.bytes(from, from.getInt())));
    }
}
