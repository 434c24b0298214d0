package io.idem;

/** The store's answer to an owner's write. */
public sealed interface StoreAnswer {

    /**
     * The write took effect, now or when it was first sent.
     *
     * @param result the result on record after COMPLETE, which is the first one if the write was repeated; else
     *     {@link StoredResult#NONE}
     */
    record Ok(StoredResult result) implements StoreAnswer {}

    /** The grant was settled before its renewal arrived. Nothing was lost. */
    record AlreadySettled(RecordState state) implements StoreAnswer {}

    /**
     * The writer no longer owns the record, which stays unchanged.
     *
     * @param state the state of the record
     * @param result the result of a COMPLETED record; else {@link StoredResult#NONE}
     */
    record Lost(RecordState state, StoredResult result) implements StoreAnswer {}

    /** The steps that are remembered beside the record; the writer owns it. */
    record Recalled(RememberedSteps steps) implements StoreAnswer {}
}
