package io.idem;

import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.CommitUnknownException;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Inbox;
import io.idem.spi.OutgoingTransport;
import io.idem.spi.OwnerToken;
import io.idem.spi.ResultPipeline;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one algorithm: acquire, run, confirm what was published, complete. Used alike by the HTTP filter, the listeners and
 * plain code. Thread-safe; blocks its caller. Close it to end its heartbeat; the store is not closed with it.
 */
public final class IdempotentExecutor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(IdempotentExecutor.class);

    private final IdempotencyStore store;
    private final Transports transports;
    private final EventSource events;
    private final MonotonicClock clock;
    private final SecureRandom random = new SecureRandom();
    private final Heartbeat heartbeat;
    private final Results results;
    private final LeaseTimer timer = new LeaseTimer();
    private final Takeovers takeovers;
    private final TakeoverAnswers answers;
    private final Recorder recorder;
    private final UnlockedRuns unlocked;

    /**
     * An executor.
     *
     * @param store where the records are
     * @param transports publish what inbox rows keep; asked when the first such message is to be published
     * @param listeners are told of every claim and settlement
     */
    public IdempotentExecutor(
            IdempotencyStore store,
            Supplier<List<OutgoingTransport>> transports,
            List<IdempotencyEventListener> listeners) {
        this(store, transports, listeners, MonotonicClock.SYSTEM);
    }

    /** The same with a clock of one's own, for tests that let local deadlines pass. */
    public IdempotentExecutor(
            IdempotencyStore store,
            Supplier<List<OutgoingTransport>> transports,
            List<IdempotencyEventListener> listeners,
            MonotonicClock clock) {
        this(store, transports, listeners, clock, ResultPipeline.UNCHANGED);
    }

    /** The same with a form of its own for what records keep of results. */
    public IdempotentExecutor(
            IdempotencyStore store,
            Supplier<List<OutgoingTransport>> transports,
            List<IdempotencyEventListener> listeners,
            MonotonicClock clock,
            ResultPipeline results) {
        this.store = store;
        this.transports = new Transports(transports);
        this.clock = clock;
        this.events = new EventSource(listeners);
        this.results = new Results(results, events);
        this.takeovers = new Takeovers(events, this.results);
        this.answers = new TakeoverAnswers(store, events, this.results);
        this.heartbeat = new Heartbeat(store, clock);
        Restorer restorer = new Restorer(store, events, random);
        this.recorder = new Recorder(store, heartbeat, events, restorer);
        this.unlocked = new UnlockedRuns(store, heartbeat, events, restorer, this.results, timer, new Outage(clock));
    }

    /**
     * Runs work once for its key and scope, or says why it did not run.
     *
     * <p>An exception of the work ends the attempt as the operation's {@link AttemptPolicy} says and is rethrown unchanged, except {@link LeaseLostException} of this very
     * attempt and {@link CommitUnknownException}, also as a cause: then nothing is settled and the answer is
     * {@link Outcome.InProgress}. Once the work has taken effect nothing is thrown: what stands in the way of recording it is
     * told by {@link Outcome.Unrecorded}.
     *
     * <p>If the store does not answer the acquire and the operation's inbox {@linkplain Inbox#decidesAlone() decides alone},
     * the work runs all the same.
     *
     * @throws StoreUnavailableException if the store, or the inbox's database, did not answer before the work; it did not
     *     run
     * @throws UnreadableRecordException if the record is not one of idem's; the work did not run
     * @throws Exception whatever the work throws
     */
    public <T> Outcome<T> execute(Operation operation, Work<T> work) throws Exception {
        AcquireRequest request = request(operation);
        if (unlocked.called(operation)) {
            return run(operation, unlocked.begin(operation, request), work);
        }
        Beginning<T> beginning;
        try {
            beginning = acquire(operation, request);
        } catch (StoreUnavailableException silent) {
            if (!unlocked.allowed(operation)) {
                throw silent;
            }
            unlocked.storeIsSilent(silent);
            return run(operation, unlocked.begin(operation, request), work);
        }
        if (operation.inbox() == null && beginning instanceof Beginning.Granted<T> granted) {
            beginning = decided(granted);
        }
        if (beginning instanceof Beginning.Answered<T> answered) {
            return answered.outcome();
        }
        return run(operation, (GrantedOperation) ((Beginning.Granted<T>) beginning).operation(), work);
    }

    /**
     * Acquires only. For work that ends elsewhere; prefer {@link #execute}. An inbox of the operation is not used.
     *
     * @throws StoreUnavailableException if the store did not answer
     * @throws UnreadableRecordException if the record is not one of idem's
     */
    public <T> Beginning<T> begin(Operation operation) {
        Beginning<T> beginning = acquire(operation, request(operation));
        return beginning instanceof Beginning.Granted<T> granted ? decided(granted) : beginning;
    }

    /** What an earlier attempt left open is decided before the work may run. */
    private <T> Beginning<T> decided(Beginning.Granted<T> granted) {
        GrantedOperation operation = (GrantedOperation) granted.operation();
        Reconciliation decision = takeovers.decide(operation.attempt());
        return decision instanceof Reconciliation.NotDone
                ? granted
                : new Beginning.Answered<>(answers.answer(operation, decision));
    }

    private <T> Beginning<T> acquire(Operation operation, AcquireRequest request) {
        long sentAt = clock.nanoTime();
        Claim claim = store.acquire(request);
        events.publish(new IdempotencyEvent.Claimed(operation.record(), claim));
        if (claim instanceof Claim.Granted granted) {
            return granted(new Attempt(operation, granted, watch(operation.policy(), sentAt)));
        }
        return new Beginning.Answered<>(results.answer(operation.record(), claim));
    }

    private LeaseWatch watch(ExecutionPolicy policy, long sentAt) {
        return new LeaseWatch(new LocalDeadline(clock, policy, sentAt), timer, policy.renewEvery());
    }

    private <T> Beginning<T> granted(Attempt attempt) {
        GrantedOperation operation =
                new GrantedOperation(attempt, store, recorder, events, results, heartbeat.start(attempt));
        if (!attempt.stillOwner()) {
            LOG.warn(
                    "The grant of {} came later than its lease lasts; nothing is run and it is asked for again",
                    attempt.lease().record());
            operation.abandon();
            return new Beginning.Answered<>(new Outcome.InProgress<>(Duration.ZERO));
        }
        return new Beginning.Granted<>(operation);
    }

    private <T> Outcome<T> run(Operation operation, GrantedOperation granted, Work<T> work) throws Exception {
        try {
            return operation.inbox() == null
                    ? granted.settle(granted.call(work))
                    : new InboxRun<T>(granted, operation.inbox(), events, transports, results, takeovers, answers)
                            .run(work);
        } catch (Throwable failure) {
            return withoutEffect(operation, granted, failure);
        }
    }

    /** Applications wrap exceptions on their way: what ended the attempt is looked for among the causes. */
    private <T> Outcome<T> withoutEffect(Operation operation, GrantedOperation granted, Throwable failure)
            throws Exception {
        Optional<LeaseLostException> lost = cause(failure, LeaseLostException.class)
                .filter(found -> found.lease().equals(granted.attempt().lease()));
        if (lost.isPresent() || granted.interrupted()) {
            granted.leaveUnsettled();
            events.publish(new IdempotencyEvent.LeaseLost(granted.attempt().lease()));
            return new Outcome.InProgress<>(Duration.ZERO);
        }
        if (cause(failure, CommitUnknownException.class).isPresent()) {
            LOG.warn("{}", failure.getMessage(), failure);
            granted.leaveUnsettled();
            return new Outcome.InProgress<>(operation.policy().lease());
        }
        granted.failed(failure);
        throw rethrown(failure);
    }

    private static <X> Optional<X> cause(Throwable failure, Class<X> type) {
        return FailurePolicy.causes(failure)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }

    private static Exception rethrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (Exception) failure;
    }

    private AcquireRequest request(Operation operation) {
        ExecutionPolicy policy = operation.policy();
        Inbox inbox = operation.inbox();
        return new AcquireRequest(
                operation.record(),
                OwnerToken.random(random),
                policy.lease(),
                policy.retention(),
                operation.fingerprint(),
                inbox == null ? 0 : inbox.fenceFloor(operation.record()),
                policy.maxAttempts());
    }

    /** Ends the heartbeat. Running work loses its lease when its current one ends. */
    @Override
    public void close() {
        heartbeat.close();
        timer.close();
    }
}
