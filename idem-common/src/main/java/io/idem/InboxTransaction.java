package io.idem;

/** The part of the work for which the transaction of an {@link Inbox} is open. */
public enum InboxTransaction {

    /** All of the work. */
    WHOLE,

    /**
     * The last phase: from {@link IdempotencyContext#inTransaction} to the end of the work. Before it the work holds no connection
     * and may run {@linkplain IdempotencyContext#step steps}, which are remembered in the database of the inbox.
     */
    LAST_PHASE
}
