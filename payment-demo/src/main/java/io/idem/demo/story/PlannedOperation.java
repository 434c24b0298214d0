package io.idem.demo.story;

import io.idem.IdempotencyKey;
import java.util.Set;

/**
 * An operation that a client wants to happen once.
 *
 * @param kind payment or payout
 * @param key under which it asks, with its tenant
 * @param body what it asks for
 * @param troubles what goes wrong on the way
 */
public record PlannedOperation(Kind kind, IdempotencyKey key, Body body, Set<Trouble> troubles) {

    /** Copies the set. */
    public PlannedOperation {
        troubles = Set.copyOf(troubles);
    }

    boolean has(Trouble trouble) {
        return troubles.contains(trouble);
    }
}
