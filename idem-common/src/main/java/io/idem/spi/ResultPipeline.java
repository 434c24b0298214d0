package io.idem.spi;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.ResultLoss;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import java.util.Optional;

/**
 * Converts encoded results into the form that records and inbox rows keep, and back. A result that cannot be kept fails
 * in {@link #pack}, which is called before the work commits wherever idem knows of the commit. Not called for {@link
 * StoredResult#NONE}, which is stored unchanged. Thread-safe; may block.
 */
public interface ResultPipeline {

    /** Pipeline that keeps results unchanged. */
    ResultPipeline UNCHANGED = new UnchangedResults();

    /**
     * Converts a result into the form that is kept. Repeating it for the same lease has the effect of once.
     *
     * @param shortened kept instead if the result is too large
     * @throws io.idem.IdempotencyException if the result cannot be kept; the caller rolls the work back if it can, and
     *     otherwise keeps {@link #packShortened}
     */
    Handled pack(Lease lease, StoredResult result, StoredResult shortened);

    /**
     * Converts a shortened result into the form that is kept, or into {@link StoredResult#OMITTED} if that is not
     * possible.
     */
    StoredResult packShortened(Lease lease, StoredResult shortened);

    /**
     * Converts the form that is kept into the result. A part that can never be read again is reported as a loss.
     *
     * @throws StoreUnavailableException if the result is stored elsewhere and cannot be reached at the moment
     */
    Handled unpack(RecordId record, StoredResult kept);

    /**
     * A result after its conversion.
     *
     * @param loss reason why {@code result} is not, or only in part, the result of the work; empty if it is complete
     */
    record Handled(StoredResult result, Optional<ResultLoss> loss) {

        /** Returns a complete result. */
        public static Handled whole(StoredResult result) {
            return new Handled(result, Optional.empty());
        }

        /** Returns the rest of a result after a loss. */
        public static Handled without(ResultLoss loss, StoredResult rest) {
            return new Handled(rest, Optional.of(loss));
        }
    }
}
