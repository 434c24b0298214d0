package io.idem.internal.record;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.InOrder;
import io.idem.spi.SettledRecords;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store over a register: reads a record, decides by {@link RecordRules}, writes, and begins again if the record has
 * changed in between.
 */
public abstract class RegisterStore implements IdempotencyStore, SettledRecords {

    private static final int MOST_CHANGES = 100;

    private final Duration callTimeout;

    /** Creates a store whose operator calls wait no longer than the timeout. */
    protected RegisterStore(Duration callTimeout) {
        this.callTimeout = callTimeout;
    }

    /** Returns a register for one chain of calls that build on each other. */
    protected abstract Register register();

    /** Returns the failure of a call that may change a record. */
    protected abstract RuntimeException failed(String call, Throwable failure);

    /** Reads a record exactly, and waits. */
    protected abstract Look inspected(RecordId record);

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return InOrder.send(
                requests,
                AcquireRequest::record,
                distinct -> distinct.stream()
                        .map(request -> started(
                                "ACQUIRE of " + request.record(),
                                () -> decided(
                                        // Creates the record. Only if that is refused, it is read.
                                        register(),
                                        request.record(),
                                        look -> decision(request, look),
                                        Look.NOTHING,
                                        0)))
                        .toList());
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return InOrder.send(
                updates,
                update -> update.lease().record(),
                distinct -> distinct.stream()
                        .map(update ->
                                started(update.name() + " of " + update.lease().record(), () -> write(update)))
                        .toList());
    }

    private <A> CompletionStage<A> started(String call, Supplier<CompletionStage<A>> start) {
        return Stages.handle(Stages.started(start), Function.identity(), failure -> {
            throw failed(call, failure);
        });
    }

    private static @Nullable Decision<Claim> decision(AcquireRequest request, Look look) {
        Decision<Claim> decision = RecordRules.acquire(look.found(), request, look.now());
        boolean lasting = decision.next() == null && !(decision.answer().apply(0) instanceof Claim.Exhausted);
        return look.exact() || look.found() == null || lasting ? decision : null;
    }

    private CompletionStage<StoreAnswer> write(RecordUpdate update) {
        RecordId record = update.lease().record();
        Register register = register();
        if (update instanceof RecordUpdate.Recall) {
            return decided(register, record, look -> RecordRules.update(look.live(), update), null, 0);
        }
        return Stages.compose(
                register.glance(record),
                glance -> decided(register, record, look -> decision(update, look), glance, 0));
    }

    private static @Nullable Decision<StoreAnswer> decision(RecordUpdate update, Look look) {
        Decision<StoreAnswer> decision = RecordRules.update(look.live(), update);
        return look.exact() || decision.next() != null ? decision : null;
    }

    /**
     * Decides and writes, again and again while the record changes in between.
     *
     * @param rule returns null if the look is not exact enough for a decision
     * @param look what is known of the record; null to look first
     */
    private static <A> CompletionStage<A> decided(
            Register register,
            RecordId record,
            Function<Look, @Nullable Decision<A>> rule,
            @Nullable Look look,
            int changes) {
        if (changes == MOST_CHANGES) {
            return Stages.failed(new StoreUnavailableException(
                    "The record of " + record + " changed between every read of it and the write",
                    Execution.NOT_EXECUTED,
                    new IllegalStateException(MOST_CHANGES + " changes")));
        }
        Decision<A> decision = look == null ? null : rule.apply(look);
        if (look == null || decision == null) {
            return Stages.compose(register.look(record), exact -> decided(register, record, rule, exact, changes));
        }
        StoredRecord next = decision.next();
        if (next == null) {
            return CompletableFuture.completedFuture(decision.answer().apply(look.now()));
        }
        return Stages.compose(
                look.found() == null ? register.create(record, next) : register.write(record, look, next),
                written -> written.at().isPresent()
                        ? CompletableFuture.completedFuture(
                                decision.answer().apply(written.at().getAsLong()))
                        : decided(register, record, rule, written.instead(), changes + 1));
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return operated(
                "REOPEN", record, look -> RecordRules.reopen(look.live(), expectedFence, retention, look.now()));
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return operated("FORCE", record, look -> RecordRules.force(look.live(), expectedFence, end, retention));
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return operated("ERASE", record, look -> RecordRules.erase(look.live()));
    }

    private StoreAnswer operated(String name, RecordId record, Function<Look, Decision<StoreAnswer>> rule) {
        return waiting(name + " of " + record, () -> decided(register(), record, rule, null, 0));
    }

    /** Waits for a call that may change a record. */
    protected final <A> A waiting(String call, Supplier<CompletionStage<A>> start) {
        return Stages.await(started(call, start), callTimeout);
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return live(inspected(record)).map(found -> found.snapshot(record.scope()));
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return live(inspected(record)).map(found -> found.stored().steps()).orElse(RememberedSteps.NONE);
    }

    @Override
    public Optional<Settled> settled(RecordId record) {
        Look look = inspected(record);
        return live(look)
                .filter(SeenRecord::isSettled)
                .map(found ->
                        new Settled(found.snapshot(record.scope()), Duration.ofMillis(found.keptUntil() - look.now())));
    }

    private static Optional<SeenRecord> live(Look look) {
        return Optional.ofNullable(look.live());
    }
}
