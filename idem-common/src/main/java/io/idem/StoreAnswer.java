package io.idem;

/** The store's answer to a write by an owner. */
public sealed interface StoreAnswer {

    /**
     * The write took effect, now or when it was first sent.
     *
     * @param result for COMPLETE the result on record, the first one if it was repeated; else {@link StoredResult#NONE}
     */
    record Ok(StoredResult result) implements StoreAnswer {}

    /** A renewal that raced its own settlement: this very grant is settled, nothing was lost. */
    record AlreadySettled(RecordState state) implements StoreAnswer {}

    /**
     * The writer no longer owns the record, which stays byte-identical.
     *
     * @param state what the record says now
     * @param result if it is COMPLETED, the result on record; else {@link StoredResult#NONE}
     */
    record Lost(RecordState state, StoredResult result) implements StoreAnswer {}
}
