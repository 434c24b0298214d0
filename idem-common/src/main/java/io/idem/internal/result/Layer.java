package io.idem.internal.result;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.StoredResult;
import io.idem.spi.ResultPipeline.Handled;

/** A step of the pipeline. Marks changed results by a codec name of its own, so that reading needs no settings. */
interface Layer {

    /** Returns the codec name of the results that this layer wrote. */
    String codec();

    /** Wraps a result, or returns it unchanged if there is nothing to do. */
    StoredResult wrap(Lease lease, StoredResult result, Shortened shortened);

    /** Reverses {@link #wrap}. */
    Handled unwrap(RecordId record, StoredResult wrapped);

    /** The short form of the same result as it is kept; made on first use. */
    @FunctionalInterface
    interface Shortened {

        StoredResult packed();
    }
}
