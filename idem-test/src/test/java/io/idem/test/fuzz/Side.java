package io.idem.test.fuzz;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordStore;
import io.idem.test.contract.StoreHarness;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One of the two stores, with the grants that it gave. Puts its answers into a form that can be compared. */
final class Side {

    /** Stands for the owner that the grant was given to. */
    static final OwnerToken GRANTEE = OwnerToken.ofBytes(new byte[OwnerToken.SIZE]);

    private static final int READABLE = 64;

    private final StoreHarness harness;
    private final InstantSource clock;
    private final List<Lease> grants = new ArrayList<>();
    private final List<RecordId> recordsOfGrants = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<Lease, Long> lives = new HashMap<>();

    /** A side; {@code clock} is the one its store goes by. */
    Side(StoreHarness harness, InstantSource clock) {
        this.harness = harness;
        this.clock = clock;
    }

    int grants() {
        return grants.size();
    }

    List<RecordId> recordsOfGrants() {
        return recordsOfGrants;
    }

    /** Runs a step; the answer is the store's own. */
    Object run(Step step) {
        IdempotencyStore store = harness.store();
        if (step instanceof Step.Acquire acquire) {
            return noted(store.acquire(request(acquire)));
        }
        if (step instanceof Step.Renew renew) {
            return store.renew(lease(renew));
        }
        if (step instanceof Step.Complete complete) {
            return store.complete(lease(complete), complete.result());
        }
        if (step instanceof Step.Reject reject) {
            return store.reject(lease(reject), reject.reason());
        }
        if (step instanceof Step.Fail || step instanceof Step.Remember || step instanceof Step.Recall) {
            return store.update(request((Step.Owned) step));
        }
        if (step instanceof Step.Erase erase) {
            return store.erase(erase.record());
        }
        if (step instanceof Step.Reopen reopen) {
            return store.reopen(reopen.record(), grants.get(reopen.grant()).fence(), reopen.retention());
        }
        if (step instanceof Step.Force force) {
            return store.force(force.record(), named(force), force.end(), force.retention());
        }
        harness.advance(((Step.Advance) step).by());
        return "advanced";
    }

    /** The fence that an operator sees; the one after it, which no grant has, gets a name. */
    private long named(Step.Force force) {
        long seen = grants.get(force.grant()).fence() + force.before();
        names.put(force.record() + " " + (seen + 1), "forced " + force.grant() + " " + force.before());
        return seen;
    }

    /** Runs a batch; the answers are the store's own. */
    List<Object> runAll(Step.Batch batch) {
        RecordStore store = harness.store();
        if (batch.steps().get(0) instanceof Step.Acquire) {
            return joined(store.acquire(batch.steps().stream()
                            .map(step -> request((Step.Acquire) step))
                            .toList()))
                    .map(claim -> (Object) noted(claim))
                    .toList();
        }
        return joined(store.update(batch.steps().stream()
                        .map(step -> request((Step.Owned) step))
                        .toList()))
                .map(settlement -> (Object) settlement)
                .toList();
    }

    private static <T> Stream<T> joined(List<CompletionStage<T>> stages) {
        return stages.stream().map(stage -> stage.toCompletableFuture().join());
    }

    private RecordUpdate request(Step.Owned step) {
        if (step instanceof Step.Renew) {
            return new RecordUpdate.Renew(lease(step));
        }
        if (step instanceof Step.Complete complete) {
            return new RecordUpdate.Complete(lease(step), complete.result(), true);
        }
        if (step instanceof Step.Remember remember) {
            Lease lease = lease(step);
            long life = Objects.requireNonNull(lives.get(grants.get(step.grant())));
            return new RecordUpdate.Remember(
                    lease, life, new RememberedStep(remember.id(), remember.kind(), lease.fence(), remember.result()));
        }
        if (step instanceof Step.Recall) {
            return new RecordUpdate.Recall(lease(step));
        }
        return step instanceof Step.Fail fail
                ? new RecordUpdate.Fail(lease(step), fail.delay(), fail.counted())
                : new RecordUpdate.Reject(lease(step), ((Step.Reject) step).reason());
    }

    private AcquireRequest request(Step.Acquire step) {
        return new AcquireRequest(
                step.record(),
                step.owner(),
                step.lease(),
                step.retention(),
                step.fingerprint(),
                step.floorGrant() < 0 ? 0 : grants.get(step.floorGrant()).fence(),
                step.maxAttempts());
    }

    /** What a step settles, or an operator ends; empty for steps that settle nothing. */
    Optional<Lease> leaseOf(Step step) {
        if (step instanceof Step.Force force) {
            return Optional.of(grants.get(force.grant()));
        }
        return step instanceof Step.Owned owned ? Optional.of(lease(owned)) : Optional.empty();
    }

    private Lease lease(Step.Owned step) {
        Lease given = grants.get(step.grant());
        OwnerToken owner = step.as().equals(GRANTEE) ? given.owner() : step.as();
        return new Lease(given.record(), owner, given.fence(), given.attempt(), given.duration(), given.retention());
    }

    private Claim noted(Claim claim) {
        if (claim instanceof Claim.Granted granted && granted.kind() != Claim.GrantKind.REENTRANT) {
            names.put(granted.lease().record() + " " + granted.lease().fence(), "grant " + grants.size());
            grants.add(granted.lease());
            recordsOfGrants.add(granted.lease().record());
        }
        if (claim instanceof Claim.Granted granted) {
            lives.put(granted.lease(), life(granted));
        }
        return claim;
    }

    /** An owner who is not the first one reads at once what the others remembered, and goes on with their life. */
    private long life(Claim.Granted granted) {
        Lease lease = granted.lease();
        if (granted.kind() == Claim.GrantKind.FRESH) {
            return lease.fence();
        }
        StoreAnswer.Recalled recalled = (StoreAnswer.Recalled) harness.store().update(new RecordUpdate.Recall(lease));
        return recalled.steps().steps().isEmpty()
                ? lease.fence()
                : recalled.steps().life();
    }

    /** An answer without what differs from store to store: fences become numbers of grants, remaining time whole units. */
    String comparable(Object answer) {
        if (answer instanceof Claim.Granted granted) {
            return "granted " + granted.kind() + " attempt " + granted.lease().attempt() + " "
                    + grantOf(granted.lease().record(), granted.lease().fence());
        }
        if (answer instanceof Claim.Replay replay) {
            return "replay " + comparable(replay.result());
        }
        if (answer instanceof Claim.InProgress busy) {
            return "in progress " + units(busy.remaining());
        }
        if (answer instanceof Claim.NotYet notYet) {
            return "not yet " + units(notYet.delay());
        }
        if (answer instanceof Claim.Rejected rejected) {
            return "rejected " + rejected.reason();
        }
        if (answer instanceof Claim.Exhausted exhausted) {
            return "exhausted " + exhausted.attempts();
        }
        if (answer instanceof StoreAnswer.Ok ok) {
            return "ok " + comparable(ok.result());
        }
        if (answer instanceof StoreAnswer.Lost lost) {
            return "lost " + lost.state() + " " + comparable(lost.result());
        }
        return answer.toString();
    }

    /** The answer to a step, in which the fences of remembered steps are numbers of grants too. */
    String comparable(Step step, Object answer) {
        if (!(answer instanceof StoreAnswer.Recalled recalled)) {
            return comparable(answer);
        }
        List<RememberedStep> steps = recalled.steps().steps();
        return steps.stream()
                .filter(found -> found.kind() == Kind.DONE || !done(steps, found.id()))
                .map(found -> found.id() + " " + found.kind() + " " + grantOf(step.record(), found.fence()) + " "
                        + comparable(found.result()))
                .sorted()
                .collect(Collectors.joining(", ", "recalled [", "]"));
    }

    private static boolean done(List<RememberedStep> steps, String id) {
        return steps.stream()
                .anyMatch(step -> step.kind() == Kind.DONE && step.id().equals(id));
    }

    /** A record in comparable form. */
    String snapshot(RecordId record) {
        Optional<RecordSnapshot> found = harness.store().inspect(record);
        return found.map(snapshot -> comparable(record, snapshot)).orElse("absent");
    }

    private String comparable(RecordId id, RecordSnapshot record) {
        boolean open = record.state() == RecordState.PENDING || record.state() == RecordState.FAILED;
        String wait = open ? units(Duration.between(clock.instant(), record.at())) : "settled";
        return record.state() + " attempts " + record.attempts() + " " + record.fingerprint() + " "
                + comparable(record.result()) + " " + record.reason() + " " + wait + " "
                + grantOf(id, record.fence());
    }

    private static String comparable(StoredResult result) {
        byte[] content = result.content();
        return result.codec() + ":"
                + (content.length > READABLE
                        ? content.length + " bytes " + Arrays.hashCode(content)
                        : HexFormat.of().formatHex(content));
    }

    /** Rounded up: a server's clock goes on while a test runs. */
    private static String units(Duration time) {
        return -Math.floorDiv(-time.toMillis(), Generator.UNIT.toMillis()) + " units";
    }

    private String grantOf(RecordId record, long fence) {
        return names.getOrDefault(record + " " + fence, "nobody's fence");
    }
}
