package io.idem.retry;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.MonotonicClock;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.internal.DaemonThreads;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.InOrder;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Store that repeats requests which ended in {@link StoreUnavailableException}, each by itself, with the same arguments
 * and so with the same owner token, until the budget is used up. Answers and other exceptions are never repeated, and
 * neither are renewals, because the heartbeat sends the next one. No thread waits between the tries of acquires and
 * updates. Thread-safe if the store is.
 */
public final class RetryingIdempotencyStore extends StoreDecorator {

    private final RetrySettings settings;
    private final MonotonicClock clock;
    private final ScheduledExecutorService scheduler =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("idem-retry"));
    private final Map<Repetition, CompletableFuture<?>> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Wraps {@code store}; closing closes it too. */
    public RetryingIdempotencyStore(IdempotencyStore store, RetrySettings settings) {
        this(store, settings, MonotonicClock.SYSTEM);
    }

    RetryingIdempotencyStore(IdempotencyStore store, RetrySettings settings, MonotonicClock clock) {
        super(store);
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return requests.size() == 1
                ? repeated(requests, delegate()::acquire)
                : InOrder.send(requests, AcquireRequest::record, distinct -> repeated(distinct, delegate()::acquire));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return updates.size() == 1
                ? repeated(updates, delegate()::update)
                : InOrder.send(
                        updates, update -> update.lease().record(), distinct -> repeated(distinct, delegate()::update));
    }

    /**
     * Sends requests, and repeats those that fail. Almost every request is answered; only one that is not creates a
     * repetition.
     */
    private <Q, A> List<CompletionStage<A>> repeated(
            List<Q> requests, Function<List<Q>, List<CompletionStage<A>>> send) {
        BooleanSupplier withinBudget = settings.budget(clock);
        List<CompletionStage<A>> first;
        try {
            first = send.apply(requests);
        } catch (Throwable thrown) {
            first = Stages.failed(requests, thrown);
        }
        if (Stages.areAnswered(first)) {
            return first;
        }
        List<CompletionStage<A>> answers = new ArrayList<>(requests.size());
        for (Q request : requests) {
            CompletionStage<A> answer = first.get(answers.size());
            answers.add(
                    Stages.isAnswered(answer) || request instanceof RecordUpdate.Renew
                            ? answer
                            : repeated(
                                    answer, () -> send.apply(List.of(request)).get(0), withinBudget));
        }
        return answers;
    }

    private <A> CompletionStage<A> repeated(
            CompletionStage<A> first, Supplier<CompletionStage<A>> again, BooleanSupplier withinBudget) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        Stages.whenComplete(first, (given, failure) -> {
            if (failure == null) {
                answer.complete(given);
                return;
            }
            Repetition repetition = settings.repetition(() -> !closed && withinBudget.getAsBoolean());
            open.put(repetition, answer);
            Stages.whenComplete(answer, (ended, why) -> open.remove(repetition));
            repetition.follow(first, answer, again, scheduler, blockingThreads());
        });
        return answer;
    }

    /** Repeats a blocking call; its caller waits between the tries, too. */
    private <T> T waiting(Supplier<T> call) {
        return settings.repetition(settings.budget(clock)).run(call);
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return waiting(() -> delegate().reopen(record, expectedFence, retention));
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return waiting(() -> delegate().force(record, expectedFence, end, retention));
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return waiting(() -> delegate().erase(record));
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return waiting(() -> delegate().inspect(record));
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return waiting(() -> delegate().inspectAll(key));
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return waiting(() -> delegate().steps(record));
    }

    @Override
    public void announce(Scope scope) {
        waiting(() -> {
            delegate().announce(scope);
            return scope;
        });
    }

    /** Ends the requests that wait for their next try. */
    @Override
    public void close() {
        closed = true;
        scheduler.shutdownNow();
        open.forEach(Repetition::giveUp);
        super.close();
    }
}
