package io.idem.consumer.internal.call;

import io.idem.Admission;
import io.idem.FailurePolicy;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.StageForm;
import io.idem.consumer.internal.delivery.AsyncHold;
import io.idem.consumer.internal.delivery.AsyncSettlement;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.RecordHold;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.spi.Stages;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Call of a listener method whose work ends after its return. Acquires and starts on the delivering thread, so that the
 * delivery hook treats a message that does not run as it treats it for every listener; COMPLETE is written before the
 * stage that the container gets ends.
 *
 * @param answers of the first attempt, on the delivering thread
 * @param attempts makes the work of one further attempt
 */
record AsyncMethodCall(
        CallAnswers answers, StageForm form, AsyncSettlement settlement, Supplier<ListenerWork> attempts) {

    /**
     * Returns the call of a method whose work ends after its return; empty for all other methods.
     *
     * @throws ListenerConfigurationException if the delivery hook cannot settle asynchronously
     */
    static Optional<AsyncMethodCall> of(CallAnswers answers) {
        Method listener = answers.listener().method();
        return StageForm.of(listener).map(form -> {
            AsyncSettlement settlement = answers.delivery()
                    .asyncSettlement()
                    .orElseThrow(() -> new ListenerConfigurationException(
                            listener,
                            "ends its work after its return, which its container does not support",
                            "Do the work before the method returns"));
            return new AsyncMethodCall(answers, form, settlement, answers.work().anew());
        });
    }

    private Delivery delivery() {
        return answers.delivery();
    }

    private AsyncIdempotentExecutor executor() {
        return answers.runtime().async();
    }

    /** Runs the call on the delivering thread, which waits for the acquire. */
    @Nullable Object run(Operation operation) throws Throwable {
        Admission<Optional<Object>> beginning = joined(executor().begin(operation));
        return beginning instanceof Admission.Granted<Optional<Object>> granted
                ? start(operation, granted)
                : notRun(answers.answer(((Admission.Answered<Optional<Object>>) beginning).outcome()));
    }

    /** Returns a finished stage with the answer. The adapter publishes the stored reply, so it acknowledges too. */
    private @Nullable Object notRun(@Nullable Object value) {
        if (!(delivery().decision().orElse(null) instanceof DeliveryDecision.Duplicate duplicate)) {
            return null;
        }
        delivery().endedBy(duplicate);
        delivery().decide(new DeliveryDecision.Handed());
        return handed(CompletableFuture.completedStage(value));
    }

    private @Nullable Object start(Operation operation, Admission.Granted<Optional<Object>> granted) throws Throwable {
        ListenerWork work = answers.work();
        CompletionStage<Outcome<Optional<Object>>> ended =
                executor().run(granted.operation(), context -> work.start(context, form));
        if (work.threw()) {
            return answers.answer(joined(ended));
        }
        delivery().decide(new DeliveryDecision.Handed());
        return handed(end(operation, ended, work));
    }

    /**
     * Returns what the container's adapter gets. The adapter replies where the stage ends, on whatever thread that is, and the
     * reply's headers are those of the delivery; so the delivery is bound to that thread.
     */
    private Object handed(CompletionStage<@Nullable Object> end) {
        CompletableFuture<@Nullable Object> handed = new CompletableFuture<>();
        var unused = end.whenComplete((value, failure) -> settlement.handOver(
                        () -> CurrentDelivery.runWith(delivery(), () -> complete(handed, value, failure))))
                // What fails before the adapter is told would leave the message with the container.
                .whenComplete((value, failure) -> complete(handed, value, failure));
        return form.of(handed);
    }

    private static void complete(
            CompletableFuture<@Nullable Object> handed, @Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            handed.complete(value);
        } else {
            handed.completeExceptionally(failure);
        }
    }

    private CompletionStage<@Nullable Object> end(
            Operation operation, CompletionStage<Outcome<Optional<Object>>> ended, ListenerWork work) {
        Duration hold = answers.runtime().settings().hold();
        AsyncHold recording = new AsyncHold(executor(), new RecordHold(delivery(), hold, Delivery.UNBOUNDED));
        return Stages.compose(
                Stages.compose(ended, recording::recorded),
                (outcome, failure) ->
                        failure == null ? answered(operation, outcome, work) : settlement.failed(failure));
    }

    /** Decides as for every other listener, but no thread waits for this decision. */
    private CompletionStage<@Nullable Object> answered(
            Operation operation, Outcome<Optional<Object>> outcome, ListenerWork work) {
        Delivery ended = delivery().ended();
        Object value;
        try {
            value = answers.of(ended, work).answer(outcome);
        } catch (Throwable failure) {
            return failed(ended, failure);
        }
        DeliveryDecision decision = ended.decision().orElseThrow();
        if (decision instanceof DeliveryDecision.Defer deferral) {
            return work.isNotNow()
                    ? settlement.await(deferral, () -> again(operation))
                    : settlement.defer(deferral, () -> again(operation));
        }
        if (decision instanceof DeliveryDecision.DeadLetter dead) {
            return settlement.deadLetter(dead, null);
        }
        delivery().endedBy(decision);
        return CompletableFuture.completedStage(value);
    }

    private CompletionStage<@Nullable Object> failed(Delivery ended, Throwable failure) {
        return ended.rejection()
                .map(dead -> settlement.deadLetter(dead, failure))
                .orElseGet(() -> settlement.failed(failure));
    }

    private CompletionStage<@Nullable Object> again(Operation operation) {
        ListenerWork work = attempts.get();
        CompletionStage<Admission<Optional<Object>>> begun = executor().begin(operation);
        return Stages.compose(
                begun,
                (beginning, failure) ->
                        failure == null ? begun(operation, beginning, work) : notBegun(operation, failure, work));
    }

    private CompletionStage<@Nullable Object> begun(
            Operation operation, Admission<Optional<Object>> beginning, ListenerWork work) {
        return beginning instanceof Admission.Granted<Optional<Object>> granted
                ? end(operation, executor().run(granted.operation(), context -> work.start(context, form)), work)
                : answered(operation, ((Admission.Answered<Optional<Object>>) beginning).outcome(), work);
    }

    private CompletionStage<@Nullable Object> notBegun(Operation operation, Throwable failure, ListenerWork work) {
        Delivery ended = delivery().ended();
        CallAnswers answer = answers.of(ended, work);
        if (failure instanceof StoreUnavailableException silent) {
            answer.storeSilent(silent);
        } else if (failure instanceof UnreadableRecordException unreadable) {
            answer.unreadable(unreadable);
        }
        return ended.decision().orElse(null) instanceof DeliveryDecision.Defer deferral
                ? settlement.defer(deferral, () -> again(operation))
                : settlement.failed(failure);
    }

    private static <T> T joined(CompletionStage<T> stage) throws Throwable {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException wrapped) {
            throw FailurePolicy.unwrapped(wrapped);
        }
    }
}
