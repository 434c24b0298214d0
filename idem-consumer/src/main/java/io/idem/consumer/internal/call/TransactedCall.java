package io.idem.consumer.internal.call;

import static io.idem.internal.Durations.shorter;

import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.LeaseLostException;
import io.idem.Outcome;
import io.idem.Publications.Publication;
import io.idem.RunningOperation;
import io.idem.StoreUnavailableException;
import io.idem.WorkResult;
import io.idem.consumer.PublicationNotConfirmedException;
import io.idem.consumer.internal.delivery.ContainerTransaction;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.RecordHold;
import io.idem.consumer.internal.delivery.TransactedEffect;
import io.idem.step.StepException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Call of a listener method inside its container's transaction: work that took effect is recorded after the commit, and
 * work that did not makes the container roll back.
 */
record TransactedCall(ContainerTransaction transaction, CallAnswers answers) {

    @Nullable Object call(RunningOperation running) throws Throwable {
        WorkResult<Optional<Object>> result;
        try {
            result = running.call(answers.work());
            if (result instanceof WorkResult.Complete<Optional<Object>>) {
                awaitConfirms(running.context(), lease());
            }
        } catch (Throwable failure) {
            running.abandon();
            return failed(failure);
        }
        return result instanceof WorkResult.Complete<Optional<Object>> complete
                ? done(running, complete)
                : undone(running.settle(result));
    }

    /**
     * Waits until the messages that the work published are confirmed, while it can still be rolled back. Blocks.
     *
     * @throws PublicationNotConfirmedException for the first message that is not confirmed
     */
    private static void awaitConfirms(IdempotencyContext context, Duration budget) {
        long end = System.nanoTime() + budget.toNanos();
        for (Publication publication : context.publications().drain()) {
            awaitConfirm(publication, end - System.nanoTime());
        }
    }

    private static void awaitConfirm(Publication publication, long nanos) {
        try {
            publication.confirmation().toCompletableFuture().get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException refused) {
            throw new PublicationNotConfirmedException(refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PublicationNotConfirmedException(interrupted);
        }
    }

    private @Nullable Object failed(Throwable failure) throws Throwable {
        if (failure instanceof LeaseLostException) {
            return answers.rolledBack("its lease was lost");
        }
        if (FailurePolicy.causes(failure).anyMatch(TransactedCall::isUnanswered)) {
            return answers.rolledBack("one of its steps was not answered: " + failure);
        }
        throw failure;
    }

    private static boolean isUnanswered(Throwable cause) {
        return cause instanceof StoreUnavailableException
                || (cause instanceof StepException step && step.problem() == StepException.Problem.UNDECIDED);
    }

    private @Nullable Object done(RunningOperation running, WorkResult.Complete<Optional<Object>> result) {
        Delivery delivery = answers.delivery();
        Duration hold = answers.runtime().settings().hold();
        RecordHold recording = delivery.hold(shorter(hold, lease()));
        transaction.await(new TransactedEffect(delivery, running, result, recording));
        delivery.decide(new DeliveryDecision.Ran());
        return result.value().orElse(null);
    }

    private Duration lease() {
        return answers.listener().policy().lease();
    }

    /**
     * Makes the container roll back. A rejected record is rejected already; the redelivery after the rollback makes the
     * dead letter.
     */
    private @Nullable Object undone(Outcome<Optional<Object>> outcome) throws Throwable {
        if (outcome instanceof Outcome.Released<Optional<Object>>) {
            return answers.answer(outcome);
        }
        Optional<Throwable> rejection = answers.work().rejection();
        if (rejection.isPresent()) {
            throw rejection.get();
        }
        return answers.rolledBack("its result is refused");
    }
}
