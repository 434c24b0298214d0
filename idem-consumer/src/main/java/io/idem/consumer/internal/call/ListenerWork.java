package io.idem.consumer.internal.call;

import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.definition.StageForm;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.delivery.UndecidedDelivery;
import io.idem.consumer.internal.outage.StoreOutages;
import io.idem.internal.NotNow;
import io.idem.spi.Stages;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionSuspensionNotSupportedException;
import org.springframework.transaction.TransactionUsageException;

/**
 * The listener method as a piece of work: runs it with its context and turns its end into a {@link WorkResult}. Used
 * once.
 */
final class ListenerWork implements Work<Optional<Object>> {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerWork.class);

    private final ListenerDefinition listener;
    private final Delivery delivery;
    private final MethodInvocation invocation;
    private final ResultBytes results;
    private final StoreOutages outages;
    private boolean started;
    private boolean threw;
    private boolean finished;
    private int attempt;
    private boolean endsLater;
    private Runnable end = () -> {};
    private Duration retryAfter = Duration.ZERO;
    private @Nullable Throwable rejection;
    private boolean notNow;

    ListenerWork(
            ListenerDefinition listener,
            Delivery delivery,
            MethodInvocation invocation,
            ResultBytes results,
            StoreOutages outages) {
        this.listener = listener;
        this.delivery = delivery;
        this.invocation = invocation;
        this.results = results;
        this.outages = outages;
    }

    @Override
    public WorkResult<Optional<Object>> run(IdempotencyContext context) throws Exception {
        ContextArguments call = begin(context);
        try {
            Object returned = CurrentDelivery.callWithout(call::proceed);
            requireSettled();
            return workResult(returned);
        } catch (Throwable failure) {
            return failed(failure);
        } finally {
            if (!endsLater) {
                end.run();
            }
        }
    }

    /** Lets copies of the message be known after the method's return, too, until {@link #end} is called. */
    void endLater() {
        endsLater = true;
    }

    /** Ends what {@link #endLater} keeps; may be called again, and on any thread. */
    void end() {
        end.run();
    }

    private ContextArguments begin(IdempotencyContext context) {
        started = true;
        attempt = context.attempt();
        outages.decided(listener.scope(), delivery.message(), true);
        end = Received.begin(context);
        return new ContextArguments(listener.method(), invocation, context);
    }

    /** Starts a method whose work ends after its return. */
    CompletionStage<WorkResult<Optional<Object>>> start(IdempotencyContext context, StageForm form) throws Exception {
        ContextArguments call = begin(context);
        try {
            Object returned = CurrentDelivery.callWithout(call::proceed);
            CompletionStage<WorkResult<Optional<Object>>> ended =
                    Stages.handle(form.start(returned), value -> workResult(context, value), this::stageFailed);
            Stages.whenComplete(ended, (result, failure) -> end.run());
            return ended;
        } catch (Throwable failure) {
            end.run();
            threw = true;
            return CompletableFuture.completedStage(failed(failure));
        }
    }

    /** Leaves work open that may still be going on, whatever the listener's policy says of timeouts. */
    private WorkResult<Optional<Object>> stageFailed(Throwable failure) throws Exception {
        if (FailurePolicy.leavesStageOpen(failure)) {
            delivery.failed(failure);
            throw unchanged(failure);
        }
        return failed(failure);
    }

    /** Returns why what the work asks for is refused, whatever its message says; empty for every other failure. */
    Optional<ListenerConfigurationException> refusal(Throwable failure) {
        Optional<DeliveryDecision.Stop> refused = UndecidedDelivery.refusal(failure);
        if (refused.isPresent()) {
            return refused.map(DeliveryDecision.Stop::refusal);
        }
        Stream<Throwable> causes = listener.inbox() == null ? Stream.empty() : FailurePolicy.causes(failure);
        return causes.filter(ListenerWork::isMisuse)
                .findFirst()
                .map(misuse -> new ListenerConfigurationException(
                        ListenerConfigurationException.describe(listener.method())
                                + " asks for what the transaction of its inbox cannot give: " + misuse.getMessage(),
                        "Let its transactions join the inbox's, as REQUIRED does, with the same isolation",
                        failure));
    }

    private WorkResult<Optional<Object>> failed(Throwable failure) throws Exception {
        Optional<ListenerConfigurationException> refusal = refusal(failure);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        NotNow call = NotNow.of(failure);
        if (call != null) {
            notNow = true;
            retryAfter = call.retryAfter();
            return call.release(Optional.empty());
        }
        if (!FailurePolicy.isNotNow(failure)) {
            delivery.failed(failure);
        }
        if (listener.rejects(failure)) {
            rejection = failure;
            return new WorkResult.Reject<>(Optional.empty(), DeliveryDecision.DeadLetter.reason(failure));
        }
        if (!listener.retries(failure)) {
            throw unchanged(failure);
        }
        Duration delay = delay();
        retryAfter = delay;
        LOG.warn(
                "Attempt {} of scope \"{}\" for {} failed; {}",
                attempt,
                listener.scope(),
                delivery,
                isLast() ? "it was the last one" : "the next one is due in " + delay,
                failure);
        return new WorkResult.Release<>(
                Optional.empty(), delay, failure.getClass().getName());
    }

    /** Returns whether Spring refuses a transaction to whatever message is delivered. */
    private static boolean isMisuse(Throwable cause) {
        return cause instanceof TransactionUsageException
                || cause instanceof NestedTransactionNotSupportedException
                || cause instanceof TransactionSuspensionNotSupportedException;
    }

    /**
     * Returns the delay before the next attempt; none after the last one, since the next delivery finds the attempts
     * used up.
     */
    private Duration delay() {
        return isLast() ? Duration.ZERO : listener.policy().attempts().backoff().after(attempt);
    }

    private boolean isLast() {
        return attempt >= listener.policy().maxAttempts();
    }

    /** Refuses work that goes on after the method inside a transaction that ends with it. */
    private void requireSettled() {
        boolean inTransaction =
                listener.inbox() != null || delivery.transaction().isPresent();
        if (inTransaction && delivery.own().filter(own -> !own.isSaid()).isPresent()) {
            throw new ListenerConfigurationException(
                    listener.method(),
                    "settles its messages itself and returned without having acknowledged: what it does later is not part of the"
                            + " transaction of its " + (listener.inbox() != null ? "inbox" : "container"),
                    "Acknowledge before the method returns, let the container acknowledge (mode AUTO of RabbitMQ, RECORD or"
                            + " BATCH of Kafka), or do without the transaction");
        }
    }

    private WorkResult<Optional<Object>> workResult(IdempotencyContext context, @Nullable Object value) {
        try (IdempotencyContext.Binding unused = context.bind()) {
            return workResult(value);
        }
    }

    private WorkResult<Optional<Object>> workResult(@Nullable Object value) {
        if (delivery.handedBack()) {
            return new WorkResult.Release<>(Optional.ofNullable(value), Duration.ZERO);
        }
        StoredResult result = results.encode(value);
        finished = true;
        return new WorkResult.Complete<>(Optional.ofNullable(value), result);
    }

    private static Exception unchanged(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof Exception exception ? exception : new UndeclaredThrowableException(failure);
    }

    /** Returns a supplier of further attempts at the same call; to be called before this one has run. */
    Supplier<ListenerWork> anew() {
        ProxyMethodInvocation pristine = (ProxyMethodInvocation) ((ProxyMethodInvocation) invocation).invocableClone();
        return () -> new ListenerWork(listener, delivery, pristine.invocableClone(), results, outages);
    }

    /** Runs the method without protection. */
    @Nullable Object runUnguarded() throws Throwable {
        return CurrentDelivery.callWithout(invocation::proceed);
    }

    MethodInvocation invocation() {
        return invocation;
    }

    /** Decodes the stored result with which duplicates are answered. */
    @Nullable Object decode(StoredResult result) {
        return results.decode(result);
    }

    /** Returns whether the method was called. */
    boolean started() {
        return started;
    }

    /** Returns whether the method threw instead of returning a stage that ends later. */
    boolean threw() {
        return threw;
    }

    /** Returns whether the method returned and its work counts as done. */
    boolean finished() {
        return finished;
    }

    /** The attempt under which the method ran; 0 if it did not. */
    int attempt() {
        return attempt;
    }

    /** Returns whether the method threw because a call of it could not run now. */
    boolean isNotNow() {
        return notNow;
    }

    /** The delay before the next attempt, as far as this one knows; zero where that is unknown or at once. */
    Duration retryAfter() {
        return retryAfter;
    }

    /** The failure for which the record was rejected; empty if it was for the method's result. */
    Optional<Throwable> rejection() {
        return Optional.ofNullable(rejection);
    }
}
