package io.idem.internal.result;

import io.idem.StoredResult;
import io.idem.result.ResultStorage;
import java.util.function.Consumer;

/** Removes the objects of results that lie outside their records. Thread-safe; blocks as its storage does. */
public final class OffloadedResults implements Consumer<StoredResult> {

    private final ResultStorage storage;

    /** Removes from a storage. */
    public OffloadedResults(ResultStorage storage) {
        this.storage = storage;
    }

    /** Removes the object of a result in the form that its record keeps; does nothing if it has none. */
    @Override
    public void accept(StoredResult kept) {
        Offload.objectOf(kept).ifPresent(storage::delete);
    }
}
