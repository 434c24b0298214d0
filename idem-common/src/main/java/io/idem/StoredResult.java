package io.idem;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a result with the name of the codec that wrote them. Immutable; {@link #NONE} for work without a result,
 * {@link #OMITTED} for a result that is not kept. Names that start with {@value #RESERVED_PREFIX} are idem's own.
 */
public final class StoredResult {

    /** Work that completed without a result. */
    public static final StoredResult NONE = new StoredResult("", new byte[0]);

    /** Start of the codec names that no codec of an application may have. */
    public static final String RESERVED_PREFIX = "idem.";

    /**
     * Work that completed with a result which is not kept: it was too large or could not be stored, or it was erased since.
     * Duplicates are not run; they are told that it was done, and nothing else. A result that keeps a part of itself, such as
     * the status of an HTTP answer, is stored by its own codec instead.
     */
    public static final StoredResult OMITTED = new StoredResult(RESERVED_PREFIX + "omitted", new byte[0]);

    private static final int MAX_CODEC_LENGTH = 32;

    private final String codec;
    private final byte[] content;

    private StoredResult(String codec, byte[] content) {
        this.codec = codec;
        this.content = content;
    }

    /**
     * A result.
     *
     * @param codec 1 to 32 printable ASCII characters
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

    /** Name of the codec; empty for {@link #NONE}. */
    public String codec() {
        return codec;
    }

    /** A copy of the bytes. */
    public byte[] content() {
        return content.clone();
    }

    /** Number of bytes. */
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

    /** Codec and size; never the content, which may be confidential. */
    @Override
    public String toString() {
        return codec.isEmpty() ? "none" : codec + "[" + content.length + " bytes]";
    }
}
