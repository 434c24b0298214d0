package io.idem.demo.story;

/** Publishes a message that the intake has published already, past the intake. Thread-safe. */
public interface DuplicateMessages {

    /** Publishes the operation's message once more; returns when the broker has it. */
    void publish(PlannedOperation operation);

    /** Returns the number of published duplicates. */
    int published();
}
