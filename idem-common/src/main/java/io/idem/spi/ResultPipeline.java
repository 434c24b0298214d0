package io.idem.spi;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.ResultLoss;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import java.util.Optional;

/**
 * Turns encoded results into the form that records and inbox rows keep, and back. Everything that can go wrong with a result
 * goes wrong in {@link #pack}, which is called before the work commits wherever idem knows of the commit. It is not asked about
 * {@link StoredResult#NONE}, which is kept as it is. Thread-safe; may block.
 */
public interface ResultPipeline {

    /** Keeps results as they are. */
    ResultPipeline UNCHANGED = new UnchangedResults();

    /**
     * Turns a result into the form that is kept. Repeating it for the same lease has the effect of once.
     *
     * @param shortened is kept in its place if the result is too large
     * @throws io.idem.IdempotencyException if it cannot be kept; the caller rolls the work back if it can, and else keeps
     *     {@link #packShortened}
     */
    Handled pack(Lease lease, StoredResult result, StoredResult shortened);

    /** Turns a shortened result into the form that is kept, or {@link StoredResult#OMITTED} if not even that can be. */
    StoredResult packShortened(Lease lease, StoredResult shortened);

    /**
     * Turns what is kept into the result. What can never be read again is told as a loss.
     *
     * @throws StoreUnavailableException if it lies elsewhere and cannot be reached at the moment
     */
    Handled unpack(RecordId record, StoredResult kept);

    /**
     * An answer.
     *
     * @param loss why {@code result} is not, or is only a part of, what the work said; empty if it is whole
     */
    record Handled(StoredResult result, Optional<ResultLoss> loss) {

        /** All of it. */
        public static Handled whole(StoredResult result) {
            return new Handled(result, Optional.empty());
        }

        /** What is left. */
        public static Handled without(ResultLoss loss, StoredResult rest) {
            return new Handled(rest, Optional.of(loss));
        }
    }
}
