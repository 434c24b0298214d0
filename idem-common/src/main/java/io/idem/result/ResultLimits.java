package io.idem.result;

/**
 * Sizes of results, in bytes.
 *
 * @param maxSize largest result that is kept, as its codec wrote it; default {@link #DEFAULT_MAX_SIZE}
 * @param whenTooLarge what happens to a larger one; default {@link TooLarge#OMIT}
 * @param compressAbove smallest size that is left uncompressed at most; default {@link #DEFAULT_COMPRESS_ABOVE};
 *     {@link Integer#MAX_VALUE} never compresses
 */
public record ResultLimits(int maxSize, TooLarge whenTooLarge, int compressAbove) {

    /** 1 MB: far above a usual answer, far below what slows Redis down for others. */
    public static final int DEFAULT_MAX_SIZE = 1 << 20;

    /** 8 KB: below, the round trip costs more than the bytes. */
    public static final int DEFAULT_COMPRESS_ABOVE = 8 << 10;

    /** Results that were stored under a larger limit stay readable up to this size. */
    private static final int ALWAYS_READABLE = 16 << 20;

    /** Checks the sizes. */
    public ResultLimits {
        if (maxSize < 1) {
            throw new IllegalArgumentException("maxSize " + maxSize + " is less than 1 byte");
        }
        if (compressAbove < 0) {
            throw new IllegalArgumentException("compressAbove " + compressAbove + " is negative");
        }
    }

    /** The defaults. */
    public static ResultLimits defaults() {
        return new ResultLimits(DEFAULT_MAX_SIZE, TooLarge.OMIT, DEFAULT_COMPRESS_ABOVE);
    }

    /** Bytes beyond which a compressed result is taken for an attack on the memory. */
    public int mostInflated() {
        return Math.max(maxSize, ALWAYS_READABLE) + Byte.MAX_VALUE;
    }

    /** What happens to a result that is too large. */
    public enum TooLarge {
        /** The work counts as done and duplicates are answered without its result. */
        OMIT,
        /** With an inbox the work is rolled back and fails; without one, where it may have committed already, as {@link #OMIT}. */
        FAIL
    }
}
