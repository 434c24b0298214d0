package io.idem.consumer;

/**
 * Policy for calls of an idempotent listener method while no delivery of a supported container is under way: by the
 * application itself, from inside another listener, or by a container that idem does not know.
 */
public enum DirectCallPolicy {
    /** The call fails: there is no message to take a key from and no container that would settle a deferral. */
    REFUSE,
    /** The method runs without protection; for tests that call listeners as plain objects. */
    RUN_UNGUARDED
}
