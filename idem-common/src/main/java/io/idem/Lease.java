package io.idem;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A granted, time-limited right to do the work. Every later write names it. Two are equal if they are of the same attempt. Immutable, but
 * for a fence that is read when it is asked for.
 */
public final class Lease {

    private static final long UNKNOWN = 0;

    private final RecordId record;
    private final OwnerToken owner;
    private final @Nullable LongSupplier reader;
    private final int attempt;
    private final Duration duration;
    private final Duration retention;
    private volatile long fence;

    /**
     * Creates a lease.
     *
     * @param record the record that was acquired
     * @param owner the token of the attempt
     * @param fence the fencing token of the grant, which grows with every grant of the record
     * @param attempt the number of this grant of the record, from 1
     * @param duration the time for which one acquire or renewal lasts
     * @param retention the time for which the record is kept after every write
     */
    public Lease(
            RecordId record, OwnerToken owner, long fence, int attempt, Duration duration, Duration retention) {
        this(record, owner, fence, null, attempt, duration, retention);
    }

    private Lease(
            RecordId record,
            OwnerToken owner,
            long fence,
            @Nullable LongSupplier reader,
            int attempt,
            Duration duration,
            Duration retention) {
        this.record = record;
        this.owner = owner;
        this.fence = fence;
        this.reader = reader;
        this.attempt = attempt;
        this.duration = duration;
        this.retention = retention;
    }

    /**
     * Returns the lease of a claimed row, with the attempt number and the fence of that.
     *
     * @param reader reads the fence, once, if anybody asks for it
     */
    public Lease claimed(int number, LongSupplier reader) {
        return new Lease(record, owner, UNKNOWN, reader, number, duration, retention);
    }

    public RecordId record() {
        return record;
    }

    public OwnerToken owner() {
        return owner;
    }

    /** Returns the fencing token. That of a claimed row is read first, which costs a query. */
    public long fence() {
        if (fence == UNKNOWN && reader != null) {
            fence = reader.getAsLong();
        }
        return fence;
    }

    /** Returns the fencing token if it is known, else 0. */
    public long knownFence() {
        return fence;
    }

    public int attempt() {
        return attempt;
    }

    public Duration duration() {
        return duration;
    }

    public Duration retention() {
        return retention;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Lease that
                && record.equals(that.record)
                && owner.equals(that.owner)
                && attempt == that.attempt
                && duration.equals(that.duration)
                && retention.equals(that.retention)
                && (fence == that.fence || fence == UNKNOWN || that.fence == UNKNOWN);
    }

    @Override
    public int hashCode() {
        return Objects.hash(record, owner, attempt);
    }

    @Override
    public String toString() {
        return "Lease[record=" + record + ", owner=" + owner + ", fence=" + (fence == UNKNOWN ? "not read" : fence)
                + ", attempt=" + attempt + ", duration=" + duration + ", retention=" + retention + "]";
    }
}
