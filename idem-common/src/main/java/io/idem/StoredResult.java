package io.idem;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a result and the name of the codec that wrote them. {@link #NONE} stands for work without a result,
 * {@link #OMITTED} for a result that is not kept. Names that start with {@value #RESERVED_PREFIX} belong to idem.
 * Immutable.
 */
public final class StoredResult {

    /** The result of work without a result. */
    public static final StoredResult NONE = new StoredResult("", new byte[0]);

    /** The prefix of the codec names that applications must not use. */
    public static final String RESERVED_PREFIX = "idem.";

    /**
     * A result that is not kept: it was too large, could not be stored, was erased, or an operator completed the work. Duplicates are not run; they
     * learn only that the work was done. A result that is kept in part, such as the status of an HTTP answer, is stored
     * by its own codec instead.
     */
    public static final StoredResult OMITTED = new StoredResult(RESERVED_PREFIX + "omitted", new byte[0]);

    /**
     * The result of an attempt whose work has sent its own message back, in the row of its inbox: the work runs again
     * when the messages of the row are confirmed.
     */
    public static final StoredResult AGAIN = new StoredResult(RESERVED_PREFIX + "again", new byte[0]);

    private static final int MAX_CODEC_LENGTH = 32;

    private final String codec;
    private final byte[] content;

    private StoredResult(String codec, byte[] content) {
        this.codec = codec;
        this.content = content;
    }

    /**
     * Returns a result.
     *
     * @param codec the name of the codec, 1 to 32 printable ASCII characters
     * @param content the bytes, copied
     */
    public static StoredResult of(String codec, byte[] content) {
        boolean printable = codec.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (codec.isEmpty() || codec.length() > MAX_CODEC_LENGTH || !printable) {
            throw new IllegalArgumentException(
                    "Codec name \"" + codec + "\" is not 1 to " + MAX_CODEC_LENGTH + " printable ASCII characters");
        }
        return new StoredResult(codec, content.clone());
    }

    /** Returns the name of the codec; empty for {@link #NONE}. */
    public String codec() {
        return codec;
    }

    /** Returns a copy of the bytes. */
    public byte[] content() {
        return content.clone();
    }

    /** Returns the number of bytes. */
    public int size() {
        return content.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredResult that && codec.equals(that.codec) && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode() {
        return 31 * codec.hashCode() + Arrays.hashCode(content);
    }

    /** Returns codec and size, but never the content, which may be confidential. */
    @Override
    public String toString() {
        return codec.isEmpty() ? "none" : codec + "[" + content.length + " bytes]";
    }
}
