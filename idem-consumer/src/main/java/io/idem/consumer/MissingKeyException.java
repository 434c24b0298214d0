package io.idem.consumer;

import io.idem.IdempotencyException;
import io.idem.Scope;

/** A message carries no idempotency key. It did not run; the container's own policy for failed messages follows. */
public final class MissingKeyException extends IdempotencyException {

    public MissingKeyException(Scope scope, DeliveredMessage message, String lookedIn) {
        super("Scope \"" + scope + "\" got " + message + " without an idempotency key in " + lookedIn
                + ". It was not run and fails like any poison message; publish it with "
                + IdempotencyHeaders.KEY + ", name another place with @IdempotentListener(key), or choose another"
                + " idem.consumer.missing-key");
    }
}
