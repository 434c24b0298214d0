package io.idem.internal.result;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.spi.ResultPipeline.Handled;
import java.util.function.Supplier;

/** A step of the pipeline. Marks changed results by a codec name of its own, so that reading needs no settings. */
interface Layer {

    /**
     * Wraps a result, or returns it unchanged if there is nothing to do.
     *
     * @param shortened makes the short form of the same result as it is kept
     */
    StoredResult wrap(Lease lease, StoredResult result, Supplier<StoredResult> shortened);

    /** Reverses {@link #wrap}. */
    Handled unwrap(RecordId record, StoredResult wrapped);

    /** Returns what is kept outside of the record. Where that does not answer, the result is not lost. */
    static <T> T fetched(String what, Supplier<T> source) {
        try {
            return source.get();
        } catch (RuntimeException away) {
            throw new StoreUnavailableException(
                    what + " cannot be fetched: " + away.getMessage(), Execution.NOT_EXECUTED, away);
        }
    }
}
