package io.idem.consumer;

/**
 * Policy for calls of an idempotent listener method while no delivery of a supported container is under way: by the
 * application itself, from inside another listener, or by a container that idem does not know.
 */
public enum DirectCallPolicy {
    /**
     * The call fails: there is no message to take a key from and no container that would settle a deferral. A call by a
     * container that idem does not know, or with a message that one has delivered, is held instead, so that nothing is
     * acknowledged.
     */
    REFUSE,
    /** The method runs without protection; for tests that call listeners as plain objects. */
    RUN_UNGUARDED
}
