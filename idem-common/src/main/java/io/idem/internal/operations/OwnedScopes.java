package io.idem.internal.operations;

import java.util.Set;

/** Scopes that belong to the application although no participant is at work in them, as where a filter is off. Thread-safe. */
@FunctionalInterface
public interface OwnedScopes {

    /** Returns the names of the scopes; called again and again. */
    Set<String> names();
}
