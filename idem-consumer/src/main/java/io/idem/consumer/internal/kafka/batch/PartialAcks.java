package io.idem.consumer.internal.kafka.batch;

/** Answers whether a batch listener may acknowledge a part of its batch, and if not, why. */
public enum PartialAcks {
    /** The container keeps the list to which the listener's positions belong. */
    ALLOWED(""),
    /** Only MANUAL_IMMEDIATE commits at once. */
    NOT_IMMEDIATE("acknowledge(index) needs AckMode.MANUAL_IMMEDIATE; use acknowledge(), or nack(index, sleep)"),
    /** The container has no list for a listener that takes the poll's result. */
    NO_LIST("acknowledge(index) needs a listener that takes a List; use acknowledge(), or nack(index, sleep)"),
    /** The container counts what the filter dropped, the listener does not. */
    FILTERED("acknowledge(index) would count records that the RecordFilterStrategy dropped; use acknowledge(), or"
            + " nack(index, sleep)");

    private final String refusal;

    PartialAcks(String refusal) {
        this.refusal = refusal;
    }

    void require() {
        if (this != ALLOWED) {
            throw new IllegalStateException(refusal);
        }
    }
}
