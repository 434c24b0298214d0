package io.idem.engine;

import io.idem.IdempotencyEvent;
import io.idem.Inbox;
import io.idem.Inbox.Effect;
import io.idem.Lease;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.Reconciliation;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.WorkResult;
import io.idem.engine.Results.Packing;
import io.idem.spi.ExecutionEnd;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes how an attempt ended into its record, and answers. An effect has happened, so what hinders its record is an
 * outcome and never an exception.
 *
 * <table>
 * <caption>The outcome, by the ending and by the answer of the store to its update</caption>
 * <tr><th>{@link Ending}</th><th>Ok</th><th>Lost, COMPLETED</th><th>Lost otherwise</th><th>unreadable</th><th>silent</th></tr>
 * <tr><td>Done, messages not confirmed within a lease</td><td colspan="5">Unrecorded, recorded again; the store is not asked</td></tr>
 * <tr><td>Done</td><td>Executed</td><td>Superseded</td><td colspan="2">Unrecorded, restored</td><td>Unrecorded, recorded again</td></tr>
 * <tr><td>Done, the row is the record</td><td colspan="5">Executed; nothing is written</td></tr>
 * <tr><td>Done, the message sent back</td><td colspan="4">Released</td><td>Unrecorded, recorded again</td></tr>
 * <tr><td>Decided, done before</td><td>Replayed</td><td>Replayed</td><td>InProgress</td><td colspan="2">thrown</td></tr>
 * <tr><td>Decided, rejected</td><td>Rejected</td><td>Replayed</td><td>InProgress</td><td colspan="2">thrown</td></tr>
 * <tr><td>Decided otherwise</td><td colspan="5">InProgress for a lease; the store is not asked</td></tr>
 * <tr><td>Found, its messages confirmed</td><td>Replayed</td><td>Replayed</td><td colspan="3">InProgress</td></tr>
 * <tr><td>Undone, refused by a result</td><td>RejectedNow</td><td>Replayed</td><td>PENDING: InProgress, else RejectedNow</td><td colspan="2">RejectedNow</td></tr>
 * <tr><td>Undone, refused by an exception</td><td colspan="5">thrown again</td></tr>
 * <tr><td>Undone, given back, also for another payload</td><td colspan="5">its answer</td></tr>
 * <tr><td>Leave</td><td colspan="5">its answer; the store is not asked</td></tr>
 * </table>
 */
record Settling(Lane lane, Heartbeat heartbeat, EventSource events, Results results, Restorer restorer) {

    private static final Logger LOG = LoggerFactory.getLogger(Settling.class);

    /** Writes the end of an attempt and answers. The caller renews the lease meanwhile. */
    <T> CompletionStage<Outcome<T>> settle(Attempt attempt, Ending<T> ending) {
        if (ending instanceof Ending.Done<T> done) {
            attempt.steps().warnOfThoseNotAskedFor();
            return recorded(
                    attempt,
                    done.packed() == null
                            ? results.packing(attempt.lease(), done.effect())
                            : new Packing<>(done.effect(), done.packed()));
        }
        if (ending instanceof Ending.Found<T> found) {
            return found(attempt, found.row());
        }
        if (ending instanceof Ending.Decided<T> decided) {
            return decided(attempt, decided.by());
        }
        if (ending instanceof Ending.Undone<T> undone) {
            return undone(attempt, undone);
        }
        Ending.Leave<T> leave = (Ending.Leave<T>) ending;
        if (leave.told() == ExecutionEnd.LEASE_LOST) {
            events.publish(new IdempotencyEvent.LeaseLost(attempt.lease()));
        }
        return leave.answer();
    }

    /** Waits for at most one lease until all messages of an attempt are confirmed; the failure, if they are not. */
    CompletionStage<Optional<Throwable>> confirmed(Attempt attempt) {
        return lane.confirmed(attempt.barrier(), attempt.operation().policy().lease());
    }

    private <T> CompletionStage<Outcome<T>> recorded(Attempt attempt, Packing<T> effect) {
        return attempt.hasUnconfirmed() ? recordedOnceConfirmed(attempt, effect) : complete(attempt, effect);
    }

    private <T> CompletionStage<Outcome<T>> recordedOnceConfirmed(Attempt attempt, Packing<T> effect) {
        return Stages.compose(
                confirmed(attempt),
                failure -> failure.isPresent()
                        ? CompletableFuture.completedFuture(
                                unrecorded(attempt, effect, new Obstacle.Unconfirmed(failure.get())))
                        : complete(attempt, effect));
    }

    private <T> Outcome<T> unrecorded(Attempt attempt, Packing<T> effect, Obstacle why) {
        return new Outcome.Unrecorded<>(
                effect.plain().value(),
                why,
                new RecordAgain<>(() ->
                        heartbeat.start(attempt).until(Stages.started(() -> recordedOnceConfirmed(attempt, effect)))));
    }

    private <T> CompletionStage<Outcome<T>> complete(Attempt attempt, Packing<T> effect) {
        if (!attempt.owns()) {
            return restorer.acquired(attempt, effect);
        }
        boolean again = attempt.publications().isAgain();
        if (!again && attempt.isRecorded()) {
            return CompletableFuture.completedFuture(
                    completed(attempt, effect, new StoreAnswer.Ok(effect.packed().result())));
        }
        RecordUpdate update = again
                ? new RecordUpdate.Fail(attempt.lease(), Duration.ZERO)
                : new RecordUpdate.Complete(
                        attempt.lease(),
                        effect.packed().result(),
                        attempt.steps().any());
        return Stages.handle(
                lane.update(update),
                answer -> again ? released(attempt, effect, answer) : completed(attempt, effect, answer),
                failure -> unanswered(attempt, effect, again, failure));
    }

    /** Returns the outcome of an attempt that another one follows with the message that its work has sent back. */
    private <T> Outcome<T> released(Attempt attempt, Packing<T> effect, StoreAnswer answer) {
        Lease lease = attempt.lease();
        if (answer instanceof StoreAnswer.Lost lost) {
            events.publish(new IdempotencyEvent.RecordLost(lease, lost.state()));
        } else {
            events.publishEnd(lease, answer, RecordState.FAILED, "its work sent the message back");
        }
        Inbox inbox = attempt.operation().inbox();
        if (inbox != null) {
            inbox.remove(lease.record(), lease.owner());
        }
        return new Outcome.Released<>(
                effect.plain().value(), !attempt.publications().isHandedBack());
    }

    private <T> Outcome<T> completed(Attempt attempt, Packing<T> effect, StoreAnswer answer) {
        if (answer instanceof StoreAnswer.Ok ok) {
            events.publish(new IdempotencyEvent.Settled(attempt.lease(), RecordState.COMPLETED, ""));
            return new Outcome.Executed<>(effect.plain().value(), results.kept(attempt, effect, ok.result()));
        }
        if (answer instanceof StoreAnswer.Lost lost && lost.state() == RecordState.COMPLETED) {
            return restorer.superseded(attempt, effect, lost.result());
        }
        return lost(attempt, effect, answer instanceof StoreAnswer.Lost lost ? lost.state() : RecordState.PENDING);
    }

    /** A record that is gone is not restored if the next attempt comes with a message: that would be a duplicate. */
    private <T> Outcome<T> unanswered(Attempt attempt, Packing<T> effect, boolean again, Throwable failure) {
        if (failure instanceof UnreadableRecordException overwritten) {
            LOG.error("{}", overwritten.getMessage());
            return again
                    ? released(attempt, effect, new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE))
                    : lost(attempt, effect, RecordState.ABSENT);
        }
        return unrecorded(attempt, effect, new Obstacle.StoreSilent(silence(failure)));
    }

    private <T> Outcome<T> lost(Attempt attempt, Packing<T> effect, RecordState found) {
        events.publish(new IdempotencyEvent.RecordLost(attempt.lease(), found));
        return restorer.lost(attempt, effect, found);
    }

    private <T> CompletionStage<Outcome<T>> found(Attempt attempt, Effect row) {
        WorkResult.Complete<StoredResult> known = new WorkResult.Complete<>(row.result(), row.result());
        return Stages.map(
                recorded(attempt, new Packing<>(known, known)),
                recorded -> recorded instanceof Outcome.Unrecorded
                        ? new Outcome.InProgress<>(Duration.ZERO)
                        : replayed(attempt, row.result()));
    }

    private <T> CompletionStage<Outcome<T>> decided(Attempt attempt, Reconciliation by) {
        if (by instanceof Reconciliation.Done done) {
            return Stages.map(lane.update(new RecordUpdate.Complete(attempt.lease(), done.result(), true)), answer -> {
                events.publishEnd(attempt.lease(), answer, RecordState.COMPLETED, "");
                return answer instanceof StoreAnswer.Ok ok
                        ? replayed(attempt, ok.result())
                        : takenOver(attempt, answer);
            });
        }
        if (by instanceof Reconciliation.Reject reject) {
            return Stages.map(lane.update(new RecordUpdate.Reject(attempt.lease(), reject.reason())), answer -> {
                events.publishEnd(attempt.lease(), answer, RecordState.REJECTED, "by a takeover policy");
                return answer instanceof StoreAnswer.Ok
                        ? new Outcome.Rejected<>(reject.reason())
                        : takenOver(attempt, answer);
            });
        }
        return CompletableFuture.completedFuture(
                new Outcome.InProgress<>(attempt.lease().duration()));
    }

    private <T> Outcome<T> takenOver(Attempt attempt, StoreAnswer answer) {
        return answer instanceof StoreAnswer.Lost lost && lost.state() == RecordState.COMPLETED
                ? replayed(attempt, lost.result())
                : new Outcome.InProgress<>(Duration.ZERO);
    }

    private <T> Outcome<T> replayed(Attempt attempt, StoredResult kept) {
        return new Outcome.Replayed<>(results.unpack(attempt.record(), kept));
    }

    /** If another owner took a refused record over, the outcome of work that returned is the one of that owner. */
    private <T> CompletionStage<Outcome<T>> undone(Attempt attempt, Ending.Undone<T> undone) {
        boolean refusedByResult = undone.update() instanceof RecordUpdate.Reject && Stages.isAnswered(undone.answer());
        return Stages.compose(write(attempt, undone.update(), undone.why()), answer -> {
            if (!refusedByResult || !(answer.orElse(null) instanceof StoreAnswer.Lost lost)) {
                return undone.answer();
            }
            if (lost.state() == RecordState.COMPLETED) {
                StoredResult kept = results.unpackSettled(attempt.record(), lost.result());
                return CompletableFuture.completedFuture(new Outcome.Replayed<>(kept));
            }
            return lost.state() == RecordState.PENDING
                    ? CompletableFuture.completedFuture(new Outcome.InProgress<>(Duration.ZERO))
                    : undone.answer();
        });
    }

    /**
     * Writes the end of an attempt without effect, best effort; empty if it is not written. Without a grant or a claimed row
     * there is nothing to end.
     */
    CompletionStage<Optional<StoreAnswer>> write(Attempt attempt, RecordUpdate end, String why) {
        if (!attempt.owns()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        RecordState state = end instanceof RecordUpdate.Reject ? RecordState.REJECTED : RecordState.FAILED;
        return Stages.handle(
                lane.update(end),
                answer -> {
                    events.publishEnd(attempt.lease(), answer, state, why);
                    return Optional.of(answer);
                },
                failure -> {
                    LOG.warn(
                            "{} could not be marked {} ({}); another attempt follows, after the lease has run out if there is one",
                            attempt.record(),
                            state,
                            silence(failure).getMessage());
                    return Optional.empty();
                });
    }

    /** Returns the failure as one after which the outcome of the request is unknown, whatever the store threw. */
    static StoreUnavailableException silence(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof StoreUnavailableException unavailable
                ? unavailable
                : new StoreUnavailableException(
                        "The store failed in a way of its own: " + failure, Execution.UNKNOWN, failure);
    }
}
