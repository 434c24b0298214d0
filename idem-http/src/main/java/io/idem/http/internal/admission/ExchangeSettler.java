package io.idem.http.internal.admission;

import io.idem.IdempotencyException;
import io.idem.Outcome;
import io.idem.RunningOperation;
import io.idem.WorkResult;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.http.IncomingRequest;
import io.idem.http.StoredResponse;
import io.idem.spi.Stages;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Settles granted requests by their results, and then says which answers their clients get. The caller must have {@linkplain
 * HandlerRun#claimSettlement claimed} the settlement. For adapters. Thread-safe.
 */
public final class ExchangeSettler {

    private final Answers answers;
    private final BiFunction<RunningOperation, WorkResult<HandlerRun>, CompletionStage<Outcome<HandlerRun>>> settling;
    private final Function<Outcome.Unrecorded<?>, CompletionStage<? extends Outcome<?>>> again;

    private ExchangeSettler(
            Answers answers,
            BiFunction<RunningOperation, WorkResult<HandlerRun>, CompletionStage<Outcome<HandlerRun>>> settling,
            Function<Outcome.Unrecorded<?>, CompletionStage<? extends Outcome<?>>> again) {
        this.answers = answers;
        this.settling = settling;
        this.again = again;
    }

    /** Returns a settler that asks the store on the thread of its caller: its stages are complete. */
    public static ExchangeSettler blocking(Answers answers) {
        return new ExchangeSettler(
                answers,
                (operation, result) -> now(() -> operation.settle(result)),
                open -> now(() -> open.again().get()));
    }

    private static <T> CompletionStage<T> now(Supplier<T> call) {
        return Stages.started(() -> CompletableFuture.completedFuture(call.get()));
    }

    /** Returns a settler that does not block. */
    public static ExchangeSettler by(AsyncIdempotentExecutor executor, Answers answers) {
        return new ExchangeSettler(answers, executor::settle, open -> executor.again(open));
    }

    /**
     * Settles a request whose answer is held back.
     *
     * @param passing says whether the client has a part of the answer by now, so that no other can be given
     * @return the answer in place of the one that is held; empty if that is to be sent
     */
    public CompletionStage<Optional<StoredResponse>> settle(
            RunningOperation operation,
            WorkResult<HandlerRun> result,
            BooleanSupplier passing,
            IncomingRequest request) {
        CompletionStage<Optional<StoredResponse>> instead = Stages.map(
                Stages.compose(settled(operation, result), outcome -> decided(outcome, result.value())),
                decision -> decision instanceof AnswerDecision.Instead other && !passing.getAsBoolean()
                        ? Optional.of(answers.answer(other, request))
                        : Optional.empty());
        return ended(result, Stages.handle(instead, answer -> answer, failure -> {
            IdempotencyException unsettled = unsettled(failure);
            return passing.getAsBoolean() ? Optional.empty() : Optional.of(answers.unsettled(unsettled, request));
        }));
    }

    /**
     * Settles a request whose client has its answer already, or gets one that does not depend on the record.
     *
     * @return whether the store answered; if not, that was logged
     */
    public CompletionStage<Boolean> settle(RunningOperation operation, WorkResult<HandlerRun> result) {
        return ended(
                result,
                Stages.handle(
                        settled(operation, result),
                        outcome -> {
                            if (outcome instanceof Outcome.Unrecorded<?> unrecorded) {
                                answers.notRecorded(operation, unrecorded.why());
                            }
                            return true;
                        },
                        failure -> {
                            if (result instanceof WorkResult.Complete) {
                                answers.notRecorded(operation, unsettled(failure));
                            } else {
                                answers.notReleased(operation, unsettled(failure));
                            }
                            return false;
                        }));
    }

    private static IdempotencyException unsettled(Throwable failure) throws Throwable {
        if (failure instanceof IdempotencyException unsettled) {
            return unsettled;
        }
        throw failure;
    }

    /** Reports the end of a request, unless an answer in place of its handler's has reported another. */
    private static <T> CompletionStage<T> ended(WorkResult<HandlerRun> result, CompletionStage<T> end) {
        Stages.whenComplete(end, (answer, failure) -> result.value().ended(result instanceof WorkResult.Complete));
        return end;
    }

    /** Settles an operation. If its effect is unknown, the lease expires instead of the key's release, and a takeover follows. */
    private CompletionStage<Outcome<HandlerRun>> settled(RunningOperation operation, WorkResult<HandlerRun> result) {
        HandlerRun handler = result.value();
        if (result instanceof WorkResult.Release && handler.leavesUnknown()) {
            operation.leave();
            return CompletableFuture.completedFuture(new Outcome.Released<>(handler, false));
        }
        return Stages.map(settling.apply(operation, result), outcome -> {
            if (outcome instanceof Outcome.Released<?>) {
                handler.ended(false);
            }
            return outcome;
        });
    }

    private CompletionStage<AnswerDecision> decided(Outcome<HandlerRun> outcome, HandlerRun handler) {
        AnswerDecision decision = AnswerDecisions.after(outcome, handler.options());
        return decision instanceof AnswerDecision.RecordAgain first
                ? Stages.map(
                        again.apply(first.unrecorded()),
                        second -> AnswerDecisions.afterAgain(first.unrecorded(), second, handler.options()))
                : CompletableFuture.completedFuture(decision);
    }
}
