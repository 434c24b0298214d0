package io.idem.consumer.rabbit;

import org.springframework.util.ErrorHandler;

/**
 * Stands in front of a container's own error handler and keeps deferrals from it: the container requeues them. What a handler does with a
 * failure, such as a rejection or an acknowledgement, would lose a message that has not failed. Thread-safe where the other one is.
 */
record DeferralErrorHandler(ErrorHandler own) implements ErrorHandler {

    @Override
    public void handleError(Throwable failure) {
        if (!DeferredDeliveryException.isCauseOf(failure)) {
            own.handleError(failure);
        }
    }
}
