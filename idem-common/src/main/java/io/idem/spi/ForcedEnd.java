package io.idem.spi;

import io.idem.StoredResult;

/** End of unsettled work that an operator writes in place of its owner. */
public enum ForcedEnd {
    /** The work took effect, as a person found out: duplicates learn that its result is not kept. */
    COMPLETED,
    /** The work may be tried again at once. */
    FAILED;

    /** Returns the result that the record gets: of completed work one that is not kept, because nobody knows it. */
    public StoredResult result() {
        return this == COMPLETED ? StoredResult.OMITTED : StoredResult.NONE;
    }
}
