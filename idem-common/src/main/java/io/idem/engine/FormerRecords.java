package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.InOrder;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Store that keeps a record under its former name too: that of a renamed scope, see
 * {@link IdempotentExecutor.Builder#formerNames}, or that of a {@linkplain IdempotencyKey#former() key} that earlier
 * versions read otherwise. Work that either name says is done is not run again, and instances that know only the former
 * name see what the others do. An attempt acquires both, the former first, and ends both. Thread-safe.
 */
final class FormerRecords extends StoreDecorator {

    private final Map<Scope, Scope> formerNames;

    /** The fences under the former names, by the attempts. */
    private final Map<OwnerToken, Long> fences = Collections.synchronizedMap(new WeakHashMap<>());

    /** @param formerNames the former name by the present one */
    FormerRecords(IdempotencyStore store, Map<Scope, Scope> formerNames) {
        super(store);
        this.formerNames = Map.copyOf(formerNames);
    }

    private Optional<RecordId> former(RecordId record) {
        IdempotencyKey key = record.key().former();
        Scope scope = formerNames.getOrDefault(record.scope(), record.scope());
        return key.equals(record.key()) && scope.equals(record.scope())
                ? Optional.empty()
                : Optional.of(new RecordId(key, scope));
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return requests.stream().allMatch(request -> former(request.record()).isEmpty())
                ? delegate().acquire(requests)
                : InOrder.send(requests, AcquireRequest::record, this::each);
    }

    private List<CompletionStage<Claim>> each(List<AcquireRequest> requests) {
        return requests.stream()
                .map(request -> former(request.record())
                        .map(former -> both(request, former))
                        .orElseGet(() -> asked(request)))
                .toList();
    }

    private CompletionStage<Claim> asked(AcquireRequest request) {
        return delegate().acquire(List.of(request)).get(0);
    }

    private CompletionStage<Claim> both(AcquireRequest request, RecordId former) {
        return Stages.compose(asked(of(request, former, 0)), left -> {
            if (left instanceof Claim.Granted granted) {
                return granted(request, granted);
            }
            return left instanceof Claim.Replay done
                    ? finished(request, done)
                    : CompletableFuture.completedFuture(left);
        });
    }

    private CompletionStage<Claim> granted(AcquireRequest request, Claim.Granted left) {
        AcquireRequest present = of(request, request.record(), left.lease().fence());
        return Stages.compose(asked(present), now -> {
            if (now instanceof Claim.Granted granted) {
                fences.put(granted.lease().owner(), left.lease().fence());
                return CompletableFuture.completedFuture(joined(left, granted));
            }
            RecordUpdate end = now instanceof Claim.Replay done
                    ? new RecordUpdate.Complete(left.lease(), done.result())
                    : new RecordUpdate.Fail(left.lease(), Duration.ZERO);
            return Stages.handle(updated(end), ended -> now, unanswered -> now);
        });
    }

    /** The number goes on behind the former attempts: the first attempt of all would not be bound by the steps of those. */
    private static Claim joined(Claim.Granted left, Claim.Granted now) {
        Lease lease = now.lease();
        int attempt = Math.max(left.lease().attempt(), lease.attempt());
        GrantKind kind = now.kind() == GrantKind.FRESH ? left.kind() : now.kind();
        return new Claim.Granted(
                new Lease(lease.record(), lease.owner(), lease.fence(), attempt, lease.duration(), lease.retention()),
                left.isTakeover() || now.isTakeover() ? GrantKind.TAKEOVER : kind);
    }

    /**
     * Completes the record of work that was done under the former name. One that a person has reopened runs again: only
     * its present name is known to operators.
     */
    private CompletionStage<Claim> finished(AcquireRequest request, Claim.Replay done) {
        return Stages.compose(asked(of(request, request.record(), done.fence())), now -> {
            boolean runs = !(now instanceof Claim.Granted granted) || isReopened(granted);
            return runs
                    ? CompletableFuture.completedFuture(now)
                    : Stages.map(
                            updated(new RecordUpdate.Complete(((Claim.Granted) now).lease(), done.result())),
                            ended -> done);
        });
    }

    private static boolean isReopened(Claim.Granted granted) {
        return granted.kind() == GrantKind.RETRY && granted.lease().attempt() == 1;
    }

    private CompletionStage<StoreAnswer> updated(RecordUpdate update) {
        return delegate().update(List.of(update)).get(0);
    }

    private static AcquireRequest of(AcquireRequest request, RecordId record, long fence) {
        return new AcquireRequest(
                record,
                request.owner(),
                request.lease(),
                request.retention(),
                request.fingerprint(),
                Math.max(request.fenceFloor(), fence),
                request.maxAttempts());
    }

    /** Writes under both names, and answers once both are written. Steps under the former name count too. */
    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        List<CompletionStage<StoreAnswer>> answers = new ArrayList<>(delegate().update(updates));
        for (int i = 0; i < updates.size(); i++) {
            RecordUpdate update = updates.get(i);
            CompletionStage<StoreAnswer> now = answers.get(i);
            int at = i;
            former(update.lease())
                    .ifPresent(lease ->
                            answers.set(at, Stages.compose(updated(of(update, lease)), before -> joined(before, now))));
        }
        return answers;
    }

    private Optional<Lease> former(Lease lease) {
        return former(lease.record())
                .flatMap(record -> Optional.ofNullable(fences.get(lease.owner()))
                        .map(fence -> new Lease(
                                record, lease.owner(), fence, lease.attempt(), lease.duration(), lease.retention())));
    }

    /** Returns the same write for another grant. Rejections are known under the present name only, to be reopened there. */
    private static RecordUpdate of(RecordUpdate update, Lease lease) {
        if (update instanceof RecordUpdate.Renew) {
            return new RecordUpdate.Renew(lease);
        }
        if (update instanceof RecordUpdate.Complete complete) {
            return new RecordUpdate.Complete(lease, complete.result(), complete.forgetSteps());
        }
        if (update instanceof RecordUpdate.Remember remember) {
            return new RecordUpdate.Remember(lease, remember.life(), remember.step());
        }
        return update instanceof RecordUpdate.Recall
                ? new RecordUpdate.Recall(lease)
                : new RecordUpdate.Fail(lease, update instanceof RecordUpdate.Fail fail ? fail.delay() : Duration.ZERO);
    }

    /** Returns the answer under the present name, unless another owner has taken over the former one. */
    private static CompletionStage<StoreAnswer> joined(StoreAnswer before, CompletionStage<StoreAnswer> now) {
        return Stages.map(now, answer -> {
            boolean steps = answer instanceof StoreAnswer.Recalled
                    && before instanceof StoreAnswer.Recalled former
                    && former.steps().life() != 0;
            return steps || before instanceof StoreAnswer.Lost ? before : answer;
        });
    }
}
