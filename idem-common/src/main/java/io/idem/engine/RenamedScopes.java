package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.InOrder;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * Store that reads the record of a scope's former name before it grants anything under the present one: work that was
 * finished under the former name is not run again. See {@link IdempotentExecutor.Builder#formerNames}. Thread-safe.
 */
final class RenamedScopes extends StoreDecorator {

    /**
     * Largest difference between the clocks of this machine and the store before a lease under the former name is
     * misjudged.
     */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    private final Map<Scope, Scope> formerNames;
    private final InstantSource clock;

    /** @param formerNames the former name by the present one */
    RenamedScopes(IdempotencyStore store, Map<Scope, Scope> formerNames) {
        this(store, formerNames, InstantSource.system());
    }

    RenamedScopes(IdempotencyStore store, Map<Scope, Scope> formerNames, InstantSource clock) {
        super(store);
        this.formerNames = Map.copyOf(formerNames);
        this.clock = clock;
    }

    /** Acquires records. Blocks on renamed scopes; a batch with one of them is sent one request at a time. */
    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return requests.stream()
                        .noneMatch(request ->
                                formerNames.containsKey(request.record().scope()))
                ? delegate().acquire(requests)
                : InOrder.send(requests, AcquireRequest::record, this::each);
    }

    private List<CompletionStage<Claim>> each(List<AcquireRequest> requests) {
        return requests.stream()
                .map(request -> Stages.started(() -> one(request)))
                .toList();
    }

    private CompletionStage<Claim> one(AcquireRequest request) {
        Scope former = formerNames.get(request.record().scope());
        Optional<RecordSnapshot> left = former == null
                ? Optional.empty()
                : delegate().inspect(new RecordId(request.record().key(), former));
        return left.isEmpty() ? asked(request) : acquire(request, left.get());
    }

    /** Sends updates. Blocks where the steps of a renamed scope are read: those under the former name count too. */
    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        List<CompletionStage<StoreAnswer>> answers = delegate().update(updates);
        boolean renamed = updates.stream()
                .anyMatch(update -> update instanceof RecordUpdate.Recall
                        && formerNames.containsKey(update.lease().record().scope()));
        return renamed ? withFormerSteps(updates, answers) : answers;
    }

    private List<CompletionStage<StoreAnswer>> withFormerSteps(
            List<RecordUpdate> updates, List<CompletionStage<StoreAnswer>> answers) {
        List<CompletionStage<StoreAnswer>> all = new ArrayList<>(answers);
        for (int i = 0; i < updates.size(); i++) {
            RecordId record = updates.get(i).lease().record();
            Scope former = formerNames.get(record.scope());
            if (former != null && updates.get(i) instanceof RecordUpdate.Recall) {
                CompletionStage<StoreAnswer> present = answers.get(i);
                all.set(i, Stages.started(() -> withFormerSteps(present, new RecordId(record.key(), former))));
            }
        }
        return all;
    }

    /** Reads the former steps on the thread of the caller, because the thread that answers must not wait for the store. */
    private CompletionStage<StoreAnswer> withFormerSteps(CompletionStage<StoreAnswer> present, RecordId left) {
        RememberedSteps former = delegate().steps(left);
        return Stages.mapRequest(
                present,
                answer -> answer instanceof StoreAnswer.Recalled recalled
                        ? new StoreAnswer.Recalled(joined(former, recalled.steps()))
                        : answer);
    }

    /** Joins steps. The life is that of the present name, which later steps belong to. */
    private static RememberedSteps joined(RememberedSteps former, RememberedSteps present) {
        return new RememberedSteps(
                present.life(),
                Stream.concat(former.steps().stream(), present.steps().stream()).toList());
    }

    private CompletionStage<Claim> asked(AcquireRequest request) {
        return delegate().acquire(List.of(request)).get(0);
    }

    private CompletionStage<Claim> acquire(AcquireRequest request, RecordSnapshot left) {
        Optional<Claim> refusal = refusal(request, left);
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(refusal.get());
        }
        return left.state() == RecordState.ABSENT ? asked(request) : grant(request, left);
    }

    private Optional<Claim> refusal(AcquireRequest request, RecordSnapshot left) {
        if (!request.fingerprint().matches(left.fingerprint())) {
            return Optional.of(new Claim.Mismatch());
        }
        Duration wait = Duration.between(clock.instant(), left.at());
        return switch (left.state()) {
            case COMPLETED -> Optional.of(new Claim.Replay(left.result(), left.fence()));
            case REJECTED -> Optional.of(new Claim.Rejected(left.reason(), left.fence()));
            case FAILED -> isOver(wait) ? Optional.empty() : Optional.of(new Claim.NotYet(wait));
            case PENDING -> leased(wait) ? Optional.of(new Claim.InProgress(atLeastAMoment(wait))) : Optional.empty();
            case ABSENT -> Optional.empty();
        };
    }

    private static boolean isOver(Duration wait) {
        return wait.isNegative() || wait.isZero();
    }

    private static boolean leased(Duration wait) {
        return !isOver(wait.plus(CLOCK_DIFFERENCE));
    }

    private static Duration atLeastAMoment(Duration wait) {
        Duration moment = Duration.ofSeconds(1);
        return wait.compareTo(moment) > 0 ? wait : moment;
    }

    /**
     * Grants a record above the fence of the former one. If the owner under the former name has died, the grant is a
     * takeover. Its number goes on behind the former attempts: the first attempt of all would not be bound by the steps
     * that they began.
     */
    private CompletionStage<Claim> grant(AcquireRequest request, RecordSnapshot left) {
        GrantKind kind = left.state() == RecordState.PENDING ? GrantKind.TAKEOVER : GrantKind.RETRY;
        return Stages.mapRequest(
                asked(above(request, left.fence())),
                claim -> claim instanceof Claim.Granted granted && isFirst(granted)
                        ? new Claim.Granted(numbered(granted.lease(), left.attempts() + 1), kind)
                        : claim);
    }

    private static Lease numbered(Lease lease, int attempt) {
        return new Lease(lease.record(), lease.owner(), lease.fence(), attempt, lease.duration(), lease.retention());
    }

    /**
     * Returns whether a grant has the fence of a new record. A repeated acquire has it too: its fence was given without
     * the former record, so that it does not tell of a takeover.
     */
    private static boolean isFirst(Claim.Granted granted) {
        return granted.kind() == GrantKind.FRESH
                || (granted.kind() == GrantKind.REENTRANT && granted.lease().attempt() == 1);
    }

    private static AcquireRequest above(AcquireRequest request, long fence) {
        return new AcquireRequest(
                request.record(),
                request.owner(),
                request.lease(),
                request.retention(),
                request.fingerprint(),
                Math.max(request.fenceFloor(), fence),
                request.maxAttempts());
    }
}
