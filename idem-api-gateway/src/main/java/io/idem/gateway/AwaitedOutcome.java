package io.idem.gateway;

import io.idem.Scope;
import java.util.Set;

/**
 * The consumers of a coded route whose outcome clients may wait for, by {@code Prefer: wait} on the operation's status.
 * Declare a bean of this type; configured routes use the setting {@code await}. Immutable.
 *
 * @param consumers the scopes of the consumers; at least one
 */
public record AwaitedOutcome(Set<Scope> consumers) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if there is no consumer
     */
    public AwaitedOutcome {
        consumers = Set.copyOf(consumers);
        if (consumers.isEmpty()) {
            throw new IllegalArgumentException("no consumer is awaited; name the scope of at least one consumer");
        }
    }
}
