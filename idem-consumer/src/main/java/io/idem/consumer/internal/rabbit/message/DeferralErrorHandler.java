package io.idem.consumer.internal.rabbit.message;

import org.springframework.amqp.listener.ConditionalRejectingErrorHandler;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.util.ErrorHandler;

/**
 * Decorates a container's own error handler and keeps deferrals from it: the container requeues them. An action of the
 * handler, such as a rejection or an acknowledgement, would lose a message that has not failed. Spring's default
 * handler does not get dead letters either, since it could only log them once more, with a stack trace. Thread-safe if
 * the other one is.
 */
public record DeferralErrorHandler(ErrorHandler own) implements ErrorHandler {

    /** Decorates the error handler of a container, unless that is done. */
    public static void install(AbstractMessageListenerContainer container) {
        if (!(container.getErrorHandler() instanceof DeferralErrorHandler)) {
            container.setErrorHandler(new DeferralErrorHandler(container.getErrorHandler()));
        }
    }

    @Override
    public void handleError(Throwable failure) {
        if (!DeferredDeliveryException.isCauseOf(failure) && !isLoggedOnly(failure)) {
            own.handleError(failure);
        }
    }

    /** Returns whether the default handler would only log: it treats a rejection as fatal, and this is one. */
    private boolean isLoggedOnly(Throwable failure) {
        return own.getClass() == ConditionalRejectingErrorHandler.class && RejectedDeliveryException.isCauseOf(failure);
    }
}
