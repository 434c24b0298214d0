package io.idem.consumer.internal.batch;

import io.idem.IdempotencyContext;
import io.idem.consumer.internal.delivery.BatchReport;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The hand-over of a batch to its listener, bound to the thread. The deciding interceptor finds it, does not acquire
 * again, and notes how the method ended.
 */
public final class BatchCall {

    private static final ThreadLocal<@Nullable BatchCall> BOUND = new ThreadLocal<>();

    private final Method method;
    private final List<BatchedMessage> messages;
    private final BatchReport report;
    private final BatchPublishing publishing;
    private final BatchTransactions transactions = new BatchTransactions();
    private @Nullable List<BatchedMessage> reached;
    private @Nullable List<Integer> unconverted;
    private boolean returned;
    private boolean sawFailure;
    private @Nullable Throwable thrown;

    BatchCall(Method method, List<BatchedMessage> messages, BatchReport report, BatchPublishing publishing) {
        this.method = method;
        this.messages = messages;
        this.report = report;
        this.publishing = publishing;
    }

    /** Returns the hand-over of the calling thread to this method. */
    public static Optional<BatchCall> of(Method method) {
        return Optional.ofNullable(BOUND.get()).filter(call -> call.method.equals(method));
    }

    /** Hands the batch over; empty if that worked. */
    Optional<Throwable> call(CurrentDelivery.HandOver handOver) {
        BOUND.set(this);
        transactions.begin();
        try {
            handOver.call();
            return Optional.empty();
        } catch (Throwable failure) {
            return Optional.of(failure);
        } finally {
            transactions.end();
            BOUND.remove();
        }
    }

    /** Returns whether its transactions were rolled back, so that no message took effect. */
    boolean undone() {
        return transactions.undone();
    }

    /** Returns whether the method was called and its last call returned. */
    boolean returned() {
        return returned;
    }

    /**
     * Notes that an exception passes between the listener and the delivery hook, of a batch or of a single message. Does
     * nothing outside of a hand-over.
     */
    public static void seeFailure() {
        CurrentDelivery.seeFailure();
        BatchCall current = BOUND.get();
        if (current != null) {
            current.sawFailure = true;
        }
    }

    /** Returns whether an exception passed, even if an advice of the application swallowed it. */
    boolean sawFailure() {
        return sawFailure || thrown != null;
    }

    /**
     * Returns the exception that the method threw last, before any wrapping; {@code orElse} if the method was not
     * called or did not throw.
     */
    Throwable thrown(Throwable orElse) {
        return thrown == null ? orElse : thrown;
    }

    /** The messages that the listener gets: the same at every call of the method. */
    List<BatchedMessage> reached() {
        return reached == null ? messages : reached;
    }

    /** Returns the positions of the messages because of which the method was not called. */
    List<Integer> unconverted(Optional<Throwable> failure) {
        return unconverted == null ? failure.map(report::unconverted).orElse(List.of()) : unconverted;
    }

    private List<@Nullable IdempotencyContext> contexts() {
        if (reached == null) {
            reached = IntStream.range(0, messages.size())
                    .filter(report::reached)
                    .mapToObj(messages::get)
                    .toList();
        }
        List<@Nullable IdempotencyContext> contexts = new ArrayList<>(reached.size());
        reached.forEach(message -> contexts.add(message.context()));
        return Collections.unmodifiableList(contexts);
    }

    /** Calls the method, unless messages could not be converted for it: then it is called later without them. */
    public @Nullable Object proceed(MethodInvocation invocation) throws Throwable {
        if (unconverted == null) {
            unconverted = report.unconverted(null);
        }
        if (!unconverted.isEmpty()) {
            return null;
        }
        returned = false;
        thrown = null;
        List<@Nullable IdempotencyContext> contexts = contexts();
        if (contexts.isEmpty()) {
            returned = true;
            return null;
        }
        BOUND.remove();
        try {
            Object value =
                    BoundContexts.callWith(contexts, publishing, () -> proceedWithArguments(contexts, invocation));
            returned = true;
            return value;
        } catch (Throwable failure) {
            thrown = failure;
            throw failure;
        } finally {
            BOUND.set(this);
        }
    }

    private @Nullable Object proceedWithArguments(
            List<@Nullable IdempotencyContext> contexts, MethodInvocation invocation) throws Throwable {
        BatchArguments arguments = new BatchArguments(method, invocation, contexts);
        IdempotencyContext only = contexts.size() == 1 ? contexts.get(0) : null;
        return only == null ? arguments.proceed() : only.call(callable(arguments));
    }

    private static Callable<@Nullable Object> callable(BatchArguments arguments) {
        return () -> {
            try {
                return arguments.proceed();
            } catch (Exception | Error failure) {
                throw failure;
            } catch (Throwable undeclared) {
                throw new UndeclaredThrowableException(undeclared);
            }
        };
    }
}
