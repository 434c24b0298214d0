package io.idem.consumer;

import io.idem.IdempotencyContext;
import io.idem.Verdict;
import io.idem.Work;
import io.idem.spi.StoredResult;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** The listener method as a piece of work: runs it with its context and says what its end means. Used once. */
final class ListenerWork implements Work<Optional<Object>> {

    /** Characters; a reason travels in headers, whose table must fit one frame. */
    private static final int LONGEST_REASON = 1024;

    private final ListenerDefinition listener;
    private final Delivery delivery;
    private final MethodInvocation invocation;
    private final ResultBytes results;
    private boolean started;
    private boolean finished;
    private int attempt;
    private @Nullable Throwable rejection;

    ListenerWork(ListenerDefinition listener, Delivery delivery, MethodInvocation invocation, ResultBytes results) {
        this.listener = listener;
        this.delivery = delivery;
        this.invocation = invocation;
        this.results = results;
    }

    @Override
    public Verdict<Optional<Object>> run(IdempotencyContext context) throws Exception {
        started = true;
        attempt = context.attempt();
        ContextArguments call = new ContextArguments(listener.method(), invocation, context);
        try {
            return verdict(CurrentDelivery.callWithout(call::proceed));
        } catch (Throwable failure) {
            if (!listener.rejects(failure)) {
                throw unchanged(failure);
            }
            rejection = failure;
            return new Verdict.Reject<>(Optional.empty(), reason(failure));
        }
    }

    private static String reason(Throwable failure) {
        String reason = failure.getClass().getName() + ": " + failure.getMessage();
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON);
    }

    private Verdict<Optional<Object>> verdict(@Nullable Object value) {
        if (delivery.handedBack()) {
            return new Verdict.Release<>(Optional.ofNullable(value), Duration.ZERO);
        }
        StoredResult result = results.encode(value);
        finished = true;
        return new Verdict.Complete<>(Optional.ofNullable(value), result);
    }

    private static Exception unchanged(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof Exception exception ? exception : new UndeclaredThrowableException(failure);
    }

    /** Runs it without protection. */
    @Nullable Object runUnguarded() throws Throwable {
        return CurrentDelivery.callWithout(invocation::proceed);
    }

    MethodInvocation invocation() {
        return invocation;
    }

    /** What duplicates are answered with. */
    @Nullable Object decode(StoredResult result) {
        return results.decode(result);
    }

    /** Whether the method was called. */
    boolean started() {
        return started;
    }

    /** Whether the method returned and its work counts as done. */
    boolean finished() {
        return finished;
    }

    /** Which grant it ran under; 0 if it did not. */
    int attempt() {
        return attempt;
    }

    /** The failure for which the record was rejected. */
    Throwable rejection() {
        return Objects.requireNonNull(rejection, "not rejected");
    }
}
