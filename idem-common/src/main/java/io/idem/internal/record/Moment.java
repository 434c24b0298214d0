package io.idem.internal.record;

/**
 * A moment that a record holds without knowing the time at which it is written: a duration from the time of the write,
 * which the store keeps beside the record, or a moment on the same clock, or the later of both. In milliseconds.
 *
 * @param absolute since 1970-01-01 UTC; 0 if the moment is only a duration
 * @param relative from the time of the write; {@value #NONE} if the moment does not move with it
 */
public record Moment(long absolute, long relative) {

    private static final long NONE = -1;

    public static Moment at(long absolute) {
        return new Moment(absolute, NONE);
    }

    public static Moment after(long relative) {
        return new Moment(0, relative);
    }

    long of(long writtenAt) {
        return relative == NONE ? absolute : Math.max(absolute, writtenAt + relative);
    }
}
