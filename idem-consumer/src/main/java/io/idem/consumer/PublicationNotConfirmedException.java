package io.idem.consumer;

import io.idem.IdempotencyException;

/**
 * A message that a listener published inside its container's transaction was not confirmed. The transaction is rolled
 * back.
 */
public final class PublicationNotConfirmedException extends IdempotencyException {

    public PublicationNotConfirmedException(Throwable cause) {
        super(
                "A message that the listener published was not confirmed; its transaction is rolled back and the container's"
                        + " own retry and dead-letter policy acts");
        initCause(cause);
    }
}
