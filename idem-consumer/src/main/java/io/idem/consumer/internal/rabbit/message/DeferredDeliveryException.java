package io.idem.consumer.internal.rabbit.message;

import io.idem.Scope;
import io.idem.internal.Causes;
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
        this("Deferred for scope \"" + scope + "\": " + why, message);
    }

    /**
     * Asks for the messages of one delivery.
     *
     * @param why as a sentence without its full stop
     */
    public DeferredDeliveryException(String why, Message... messages) {
        super(why + "; the message is requeued and comes again", new Requeue(), messages);
    }

    /** Returns whether a delivery ended with a deferral, however its container wrapped that. */
    public static boolean isCauseOf(Throwable failure) {
        return Causes.include(failure, DeferredDeliveryException.class);
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
