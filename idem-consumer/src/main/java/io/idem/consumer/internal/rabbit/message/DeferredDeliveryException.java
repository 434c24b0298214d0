package io.idem.consumer.internal.rabbit.message;

import io.idem.Scope;
import org.springframework.amqp.ImmediateRequeueAmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * Asks a container that acknowledges by itself to requeue a message that cannot run now. Not a failure: no retry,
 * recoverer or count of attempts has seen it. An application's own error handler does not see it. Carries no stack
 * trace, since it is an answer.
 */
public final class DeferredDeliveryException extends ListenerExecutionFailedException {

    public DeferredDeliveryException(Scope scope, String why, Message message) {
        super(
                "Deferred for scope \"" + scope + "\": " + why + "; the message is requeued and comes again",
                new Requeue(),
                message);
    }

    /** Returns whether a delivery ended with a deferral, however its container wrapped that. */
    public static boolean isCauseOf(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof DeferredDeliveryException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    private static final class Requeue extends ImmediateRequeueAmqpException {

        Requeue() {
            super("deferred");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
