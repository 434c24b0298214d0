package io.idem.consumer.internal.batch;

import static io.idem.internal.Durations.shorter;

import io.idem.AsyncSettling;
import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.Outcome;
import io.idem.RunningOperation;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.delivery.AsyncHold;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.DeliveryDecisions;
import io.idem.consumer.internal.delivery.DeliveryFacts;
import io.idem.consumer.internal.delivery.ListenerRuntime;
import io.idem.consumer.internal.delivery.OpenWork;
import io.idem.consumer.internal.delivery.RecordHold;
import io.idem.engine.OperationBatch;
import io.idem.internal.NotNow;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles the messages of a batch together, and leaves a decision for each. Blocks.
 *
 * @param longestHold how long the thread may be held
 */
record BatchEnd(
        ListenerDefinition listener,
        OperationBatch operations,
        ListenerRuntime runtime,
        LastFailures lastFailures,
        Duration longestHold) {

    private static final Logger LOG = LoggerFactory.getLogger(BatchEnd.class);

    /** Completes the records of messages whose work took effect. */
    void done(List<BatchedMessage> ran) {
        List<BatchedMessage> guarded = guarded(ran);
        List<DeliveryDecision> decisions = completed(guarded);
        for (int i = 0; i < guarded.size(); i++) {
            guarded.get(i).decide(decisions.get(i));
        }
        ran.stream().filter(BatchedMessage::toRun).forEach(free -> free.decide(new DeliveryDecision.Ran()));
    }

    /** Serialized: work that was left open may be completed while another part of the batch is settled. */
    private List<DeliveryDecision> completed(List<BatchedMessage> guarded) {
        synchronized (operations) {
            List<AsyncSettling<Boolean>> settlings = new ArrayList<>(guarded.size());
            guarded.forEach(message -> settlings.add(
                    new AsyncSettling<>(running(message), new WorkResult.Complete<>(true, StoredResult.NONE))));
            List<CompletionStage<Outcome<Boolean>>> outcomes = new ArrayList<>(guarded.size());
            for (CompletionStage<Outcome<Boolean>> settled : operations.settleAll(settlings)) {
                BatchedMessage message = guarded.get(outcomes.size());
                outcomes.add(Stages.compose(settled, outcome -> hold(message).recorded(outcome)));
            }
            var unused = Stages.all(outcomes)
                    .completeOnTimeout(outcomes, longestHold.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            List<DeliveryDecision> decisions = new ArrayList<>(guarded.size());
            for (CompletionStage<Outcome<Boolean>> outcome : outcomes) {
                decisions.add(recorded(guarded.get(decisions.size()), outcome.toCompletableFuture()));
            }
            return decisions;
        }
    }

    private AsyncHold hold(BatchedMessage message) {
        Duration hold = shorter(runtime.settings().hold(), longestHold);
        return new AsyncHold(runtime.async(), new RecordHold(message.delivery(), hold, Delivery.UNBOUNDED));
    }

    /**
     * Returns the end of messages whose listener has returned and settles them later. Their decisions stay as they are.
     */
    OpenWork.Ends open(List<BatchedMessage> unfinished) {
        List<BatchedMessage> guarded = guarded(unfinished);
        return new OpenWork.Ends() {

            @Override
            public void complete() {
                for (DeliveryDecision decision : completed(guarded)) {
                    if (decision instanceof DeliveryDecision.Defer open) {
                        throw new IllegalStateException("A batch of scope \"" + listener.scope()
                                + "\" is not acknowledged: " + open.why() + "; acknowledge it again");
                    }
                }
            }

            @Override
            public void release() {
                releaseAll(guarded);
            }

            @Override
            public void leave() {
                guarded.forEach(message -> running(message).leave());
            }
        };
    }

    /** Decides on a message. An effect that is not recorded yet is recorded without this thread. */
    private DeliveryDecision recorded(BatchedMessage message, CompletableFuture<Outcome<Boolean>> outcome) {
        try {
            return outcome.isDone()
                    ? DeliveryDecisions.of(facts(message), outcome.join())
                    : DeliveryDecisions.unrecorded(facts(message), "what it published is not confirmed");
        } catch (CompletionException failed) {
            return DeliveryDecisions.unrecorded(facts(message), FailurePolicy.unwrapped(failed));
        }
    }

    private DeliveryFacts facts(BatchedMessage message) {
        IdempotencyContext context = running(message).context();
        return new DeliveryFacts(
                listener.scope(),
                listener.policy().lease(),
                Optional.of(DeliveryFacts.Attempt.inBatch(context.attempt())),
                attempts -> lastFailures.of(context.key(), attempts));
    }

    /**
     * Ends messages that ran together and of which it is unknown which one failed: a rule for one message's failures
     * does not apply.
     */
    void failedTogether(List<BatchedMessage> ran, Throwable failure) {
        if (listener.rejects(failure)) {
            LOG.warn(
                    "Scope \"{}\" failed on {} messages at once with an exception of rejectOn; none is rejected, because the exception does"
                            + " not say which one it is about",
                    listener.scope(),
                    ran.size());
            release(ran, new DeliveryDecision.Failed(Optional.empty()));
            return;
        }
        end(ran, failure);
        DeliveryDecision others = ran.stream().allMatch(BatchedMessage::toRun)
                ? new DeliveryDecision.Failed(Optional.empty())
                : new DeliveryDecision.Defer(
                        listener.scope(), Duration.ZERO, "the lease of another message of its batch was lost");
        ran.stream().filter(BatchedMessage::toRun).forEach(message -> message.decide(others));
    }

    /**
     * Ends the attempts: uncounted if a call of the listener could not run now, else as the policy says. Decides on those
     * that are to be deferred rather than to fail.
     */
    private void end(List<BatchedMessage> ran, Throwable failure) {
        List<BatchedMessage> guarded = guarded(ran);
        List<RunningOperation> attempts =
                guarded.stream().map(BatchEnd::running).toList();
        NotNow call = NotNow.of(failure);
        if (call != null) {
            var unused = operations.failAll(attempts, failure);
            ran.forEach(message -> message.decide(new DeliveryDecision.Defer(
                    listener.scope(), call.retryAfter(), "a call of its listener cannot run now")));
            return;
        }
        attempts.forEach(attempt -> lastFailures.note(attempt.context(), failure));
        List<CompletionStage<Outcome<Boolean>>> ends = operations.failAll(attempts, failure);
        for (int i = 0; i < guarded.size(); i++) {
            BatchedMessage message = guarded.get(i);
            var unused = ends.get(i).whenComplete((outcome, theFailure) -> {
                if (outcome instanceof Outcome.InProgress<Boolean>) {
                    message.decide(DeliveryDecisions.of(facts(message), outcome));
                }
            });
        }
    }

    /** Ends a message that is known to have failed. */
    void failed(BatchedMessage message, Throwable failure) {
        end(List.of(message), failure);
        if (message.toRun()) {
            message.decide(new DeliveryDecision.Failed(rejection(message, failure)));
        }
    }

    private Optional<DeliveryDecision.DeadLetter> rejection(BatchedMessage message, Throwable failure) {
        IdempotencyContext context = message.context();
        return context != null && listener.rejects(failure)
                ? Optional.of(new DeliveryDecision.DeadLetter(
                        listener.scope(), DeliveryDecision.DeadLetter.reason(failure), context.attempt()))
                : Optional.empty();
    }

    /** Releases the keys of messages that took no effect, best effort. */
    void release(List<BatchedMessage> unsettled, DeliveryDecision decision) {
        releaseAll(guarded(unsettled));
        unsettled.stream().filter(BatchedMessage::toRun).forEach(message -> message.decide(decision));
    }

    private void releaseAll(List<BatchedMessage> guarded) {
        synchronized (operations) {
            operations.abandonAll(guarded.stream().map(BatchEnd::running).toList());
        }
    }

    private static List<BatchedMessage> guarded(List<BatchedMessage> messages) {
        return messages.stream().filter(message -> message.operation() != null).toList();
    }

    private static RunningOperation running(BatchedMessage message) {
        @Nullable RunningOperation operation = message.operation();
        return Objects.requireNonNull(operation);
    }
}
