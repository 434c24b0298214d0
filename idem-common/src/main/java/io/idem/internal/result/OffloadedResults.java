package io.idem.internal.result;

import io.idem.StoredResult;
import io.idem.result.ResultStorage;
import java.util.function.Consumer;

/** Removes the objects of results that are stored outside their records. Thread-safe; blocks as its storage does. */
public record OffloadedResults(ResultStorage storage) implements Consumer<StoredResult> {

    /** Removes the object of a result as its record keeps it; does nothing if it has none. */
    @Override
    public void accept(StoredResult kept) {
        Offload.objectOf(kept).ifPresent(storage::delete);
    }
}
