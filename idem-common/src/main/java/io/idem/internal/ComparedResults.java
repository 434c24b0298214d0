package io.idem.internal;

import io.idem.ResultCodec;
import io.idem.StoredResult;
import org.jspecify.annotations.Nullable;

/** A codec that compares two results by more than their forms without a type. */
public interface ComparedResults {

    /**
     * Returns whether two results say the same.
     *
     * @param read the value that was read of the first, and written as the second
     */
    boolean same(StoredResult first, StoredResult again, @Nullable Object read);

    /** Returns whether two results say the same, as their codec compares them. */
    static boolean same(ResultCodec codec, StoredResult first, StoredResult again, @Nullable Object read) {
        return codec instanceof ComparedResults own
                ? own.same(first, again, read)
                : UntypedValues.same(codec.decode(first, Object.class), codec.decode(again, Object.class), null);
    }
}
