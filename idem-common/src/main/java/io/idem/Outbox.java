package io.idem;

/**
 * An inbox for work that is not redelivered, such as an HTTP request whose client gives up. A relay of its own sends
 * the messages kept in its rows, even if the process that committed them is gone. Thread-safe.
 */
public interface Outbox {

    /**
     * Returns the inbox for the work of a scope, whose messages this application relays from now on. Its outcomes
     * contain no messages to publish: work counts as done when it is committed, whether or not the broker answers.
     */
    Inbox inbox(Scope scope);
}
