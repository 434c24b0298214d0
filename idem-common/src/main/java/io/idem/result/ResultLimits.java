package io.idem.result;

import static io.idem.internal.value.Arguments.require;

/**
 * The limits of the sizes of results, in bytes. Immutable.
 *
 * @param maxSize the largest result that is kept, as its codec wrote it; default {@link #DEFAULT_MAX_SIZE}, at most half
 *     of {@link Integer#MAX_VALUE}
 * @param whenTooLarge the reaction to a larger result; default {@link TooLarge#OMIT}
 * @param compressAbove the size above which results are compressed; default {@link #DEFAULT_COMPRESS_ABOVE};
 *     {@link Integer#MAX_VALUE} for never
 */
public record ResultLimits(int maxSize, TooLarge whenTooLarge, int compressAbove) {

    /** The default of 1 MB: far above a usual answer, far below a size that slows Redis down. */
    public static final int DEFAULT_MAX_SIZE = 1 << 20;

    /** The default of 8 KB: below it, a round trip costs more than the bytes. */
    public static final int DEFAULT_COMPRESS_ABOVE = 8 << 10;

    /** The size up to which results stay readable that were stored under a larger limit. */
    private static final int ALWAYS_READABLE = 16 << 20;

    private static final int MOST = Integer.MAX_VALUE / 2;

    /** Creates the limits and checks them. */
    public ResultLimits {
        require(maxSize >= 1 && maxSize <= MOST, "maxSize " + maxSize + " is not from 1 byte to " + MOST);
        require(compressAbove >= 0, "compressAbove " + compressAbove + " is negative");
    }

    /** Returns the default limits. */
    public static ResultLimits defaults() {
        return new ResultLimits(DEFAULT_MAX_SIZE, TooLarge.OMIT, DEFAULT_COMPRESS_ABOVE);
    }

    /** Returns the size above which a decompressed result is refused as an attack on the memory. */
    public int mostInflated() {
        return Math.max(maxSize, ALWAYS_READABLE) + Byte.MAX_VALUE;
    }

    /** The reactions to a result that is too large. */
    public enum TooLarge {
        /** The work counts as done, and duplicates are answered without its result. */
        OMIT,
        /**
         * The work is rolled back and fails if it runs in an inbox. Without one, where it may have committed already,
         * as {@link #OMIT}.
         */
        FAIL
    }
}
