package io.idem;

/**
 * Under the name of a record lies something that idem did not write, or a newer format. It is left as it is; the work is not
 * run, and a message stays with the broker.
 */
public final class UnreadableRecordException extends IdempotencyException {

    private final RecordId record;

    public UnreadableRecordException(RecordId record, String found) {
        super("The record of " + record + " cannot be read: " + found
                + ". It was left untouched and the work was not run;"
                + " remove it from the store, or upgrade idem if a newer version wrote it");
        this.record = record;
    }

    /** Whose record it is. */
    public RecordId record() {
        return record;
    }
}
