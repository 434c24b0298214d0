package io.idem.internal.result;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.StoredResult;
import io.idem.spi.ResultPipeline.Handled;

/** One step of the pipeline. It marks what it changed by a codec name of its own, so that reading needs no settings. */
interface Layer {

    /** Codec name of what it wrote. */
    String codec();

    /** Wraps a result, or answers it unchanged if there is nothing to do. */
    StoredResult wrap(Lease lease, StoredResult result, Shortened shortened);

    /** Undoes {@link #wrap}. */
    Handled unwrap(RecordId record, StoredResult wrapped);

    /** The short form of the same result as it is kept; made when first asked for. */
    @FunctionalInterface
    interface Shortened {

        StoredResult packed();
    }
}
