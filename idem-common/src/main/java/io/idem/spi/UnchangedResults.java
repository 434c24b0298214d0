package io.idem.spi;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.StoredResult;

/** Keeps results as their codecs wrote them. */
final class UnchangedResults implements ResultPipeline {

    @Override
    public Handled pack(Lease lease, StoredResult result, StoredResult shortened) {
        return Handled.whole(result);
    }

    @Override
    public StoredResult packShortened(Lease lease, StoredResult shortened) {
        return shortened;
    }

    @Override
    public Handled unpack(RecordId record, StoredResult kept) {
        return Handled.whole(kept);
    }
}
