package io.idem.workshop.child;

/** A line in the life of an operation at which a test may stop a process, in the order in which they come. */
public enum Point {
    /** The message or request is there; ACQUIRE is about to be sent. */
    ACQUIRING,
    /** ACQUIRE was granted; nothing else has happened. */
    GRANTED,
    /** A transaction has begun; nothing is written in it. */
    BEGUN,
    /** The work is about to write its first business row. */
    WORKING,
    /** The work is done; its transaction is about to be committed. */
    WORKED,
    /** The database has committed; nothing published, no COMPLETE. */
    COMMITTED,
    /** All messages of the work are confirmed; COMPLETE is about to be sent. */
    CONFIRMED,
    /** COMPLETE was answered; the message is not acknowledged, the request not answered. */
    COMPLETED,
    /** The acknowledgement has left for the broker; only where somebody tells, see {@link CurrentRecord#acknowledged()}. */
    ACKNOWLEDGED,
    /** The outbox's relay has given a message to the broker; nobody has asked what became of it. */
    RELAYED,
    /** The broker has confirmed a message of the relay; the row still has it. */
    RELAY_CONFIRMED,
    /** The copy of a dead letter is confirmed where the letter came from; the letter is about to be taken away. */
    LETTER_COPIED
}
