package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.batch.BatchCall;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;

/**
 * Notes exceptions of the listener before any error handling of the application can swallow them. A delivery that comes
 * back undecided without one was not taken over. Keeps from it those for which a message goes back. Stateless.
 */
public final class RabbitFailureObserver implements MethodInterceptor {

    /** Returns the advices of a container: the delivery hook outside of the application's own, the observer inside. */
    public static Advice[] chain(Advice hook, List<Advice> own) {
        List<Advice> chain = new ArrayList<>(own.size() + 2);
        chain.add(hook);
        chain.addAll(own);
        chain.add(new RabbitFailureObserver());
        return chain.toArray(Advice[]::new);
    }

    /**
     * Decorates the application's error handler of a listener, so that each failure is noted before, and none arrives for
     * which the message goes back.
     *
     * @param own null for none; then the listener adapter acts on the failure as it does without an error handler
     */
    public static RabbitListenerErrorHandler before(@Nullable RabbitListenerErrorHandler own) {
        return (amqpMessage, channel, message, failure) -> {
            BatchCall.seeFailure();
            if (own == null || CallWait.take(failure)) {
                throw failure.getCause() instanceof Exception cause ? cause : failure;
            }
            return own.handleError(amqpMessage, channel, message, failure);
        };
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        try {
            return invocation.proceed();
        } catch (Throwable failure) {
            if (CallWait.take(failure)) {
                return null;
            }
            BatchCall.seeFailure();
            throw failure;
        }
    }
}
