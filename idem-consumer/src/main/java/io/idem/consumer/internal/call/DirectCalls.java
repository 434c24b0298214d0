package io.idem.consumer.internal.call;

import io.idem.consumer.DirectCallPolicy;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.ListenerStops;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Decides about calls of idempotent listener methods that are not deliveries of a hooked container. Thread-safe.
 *
 * @param stops learns of containers that deliver without a hook
 * @param unhooked of each transport; used from the first such call on
 */
public record DirectCalls(DirectCallPolicy policy, ListenerStops stops, Supplier<List<UnhookedDeliveries>> unhooked) {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** Returns the decision for applications without transports. */
    public static DirectCalls of(DirectCallPolicy policy) {
        return new DirectCalls(policy, new ListenerStops(() -> {}), List::of);
    }

    @Nullable Object call(Method listener, MethodInvocation invocation) throws Throwable {
        check(listener, invocation.getArguments());
        return invocation.proceed();
    }

    /** Returns if such calls run; throws otherwise. */
    void check(Method listener, @Nullable Object... arguments) {
        if (policy == DirectCallPolicy.RUN_UNGUARDED) {
            return;
        }
        ListenerConfigurationException refusal = new ListenerConfigurationException(
                listener,
                "was called outside a delivery of a supported listener container and did not run",
                "Deliver a message to it, use an IdempotentExecutor, or set idem.consumer.direct-calls to run-unguarded");
        // The delivery hook of the work around this call sees the refusal.
        boolean partOfWork =
                CurrentDelivery.isWorking() || !BoundContexts.current().isEmpty();
        throw partOfWork ? refusal : refused(refusal, arguments);
    }

    private RuntimeException refused(ListenerConfigurationException refusal, @Nullable Object[] arguments) {
        for (UnhookedDeliveries transport : unhooked.get()) {
            boolean byContainer = STACK.walk(frames ->
                    frames.map(StackWalker.StackFrame::getDeclaringClass).anyMatch(transport::isContainer));
            if (byContainer || messages(arguments).anyMatch(transport::isDelivered)) {
                stops.note(refusal);
                return byContainer ? transport.refuse(refusal) : transport.hold(refusal);
            }
        }
        return refusal;
    }

    /** Returns the arguments, and the elements of those that are batches. */
    private static Stream<Object> messages(@Nullable Object[] arguments) {
        return Stream.of(arguments)
                .filter(Objects::nonNull)
                .flatMap(argument -> argument instanceof Iterable<?> batch
                        ? StreamSupport.stream(batch.spliterator(), false)
                        : Stream.of(argument));
    }
}
