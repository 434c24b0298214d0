package io.idem;

/**
 * An inbox for work that nobody delivers again, such as an HTTP request whose client gives up: the messages that its rows keep
 * leave by a relay of their own, also if the process that committed them is gone. Thread-safe.
 */
public interface Outbox {

    /**
     * The inbox for a scope's work, whose messages this application relays from now on. Its outcomes name none that are still to be
     * published: work counts as done when it is committed, whether or not the broker answers.
     */
    Inbox inbox(Scope scope);
}
