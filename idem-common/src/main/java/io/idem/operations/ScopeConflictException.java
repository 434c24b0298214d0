package io.idem.operations;

import io.idem.IdempotencyException;
import io.idem.Scope;

/**
 * Thrown when two participants of one application claim one scope: each would take the other's messages for duplicates.
 */
public final class ScopeConflictException extends IdempotencyException {

    private final Scope scope;

    ScopeConflictException(Scope scope, String first, String second) {
        super("Scope \"" + scope + "\" is claimed by " + first + " and by " + second
                + "; each would take the other's work for its own and lose it. Give one of them a scope of its own");
        this.scope = scope;
    }

    /** Returns the scope that is claimed twice. */
    public Scope scope() {
        return scope;
    }
}
