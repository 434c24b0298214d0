package io.idem;

/**
 * Thrown when a record cannot be read: it was not written by idem, or in a newer format. The record stays unchanged,
 * work that has not begun does not run, and its message stays with the broker.
 */
public final class UnreadableRecordException extends IdempotencyException {

    private final RecordId record;

    public UnreadableRecordException(RecordId record, String found) {
        super("The record of " + record + " cannot be read: " + found
                + ". It was left untouched; remove it from the store, or upgrade idem if a newer version wrote it");
        this.record = record;
    }

    /** Returns the record that cannot be read. */
    public RecordId record() {
        return record;
    }
}
