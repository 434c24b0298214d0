package io.idem.consumer;

import io.idem.IdempotencyException;
import io.idem.Scope;

/**
 * A listener's result asks for another attempt while idem is switched off. The container's own policy for failures
 * acts.
 */
public final class RetryRequestedException extends IdempotencyException {

    public RetryRequestedException(Scope scope) {
        super("The result of scope \"" + scope
                + "\" asks for another attempt (retryIf); idem is switched off (idem.enabled=false)"
                + " and counts no attempts, so the container's own retry and dead-letter policy acts");
    }
}
