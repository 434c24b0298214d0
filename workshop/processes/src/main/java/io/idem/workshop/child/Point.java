package io.idem.workshop.child;

/** A point in the life of an operation at which a test may stop a process; declared in the order of execution. */
public enum Point {
    /** The message or request has arrived; ACQUIRE is about to be sent. */
    ACQUIRING,
    /** ACQUIRE was granted; nothing else has happened. */
    GRANTED,
    /** A transaction has begun; nothing is written in it. */
    BEGUN,
    /** The work is about to write its first business row. */
    WORKING,
    /** The other system has acted in a step; REMEMBER is about to be sent. */
    STEPPED,
    /** REMEMBER was answered; the step has not returned to the work. */
    REMEMBERED,
    /** The work is done; its transaction is about to be committed. */
    WORKED,
    /** The database has committed; nothing is published and COMPLETE is not sent. */
    COMMITTED,
    /** The messages of the work are confirmed; COMPLETE is about to be sent. */
    CONFIRMED,
    /** COMPLETE was answered; the message is not acknowledged and the request not answered. */
    COMPLETED,
    /** The acknowledgement was sent; only in applications that call {@link CurrentRecord#acknowledged()}. */
    ACKNOWLEDGED,
    /** The outbox relay has sent a message to the broker; the confirmation is not awaited yet. */
    RELAYED,
    /** The broker has confirmed a message of the relay; the row still contains it. */
    RELAY_CONFIRMED,
    /**
     * The copy of a dead letter in its original queue or topic is confirmed; the dead letter is about to be removed.
     */
    LETTER_COPIED
}
