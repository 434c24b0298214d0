package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Looks at the record of a scope's former name before it grants anything under the new one: work that was finished under the
 * old name is not run again. For as long as duplicates of that work may come; costs one more read per acquire of a renamed
 * scope. It does not guard against instances that still work under the old name: stop them first. Thread-safe.
 */
public final class RenamedScopes extends ForwardingIdempotencyStore {

    /** How far the clocks of this machine and the store may be apart before a lease under the old name is misjudged. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    private final Map<Scope, Scope> formerNames;
    private final InstantSource clock;

    /**
     * A store that knows former names.
     *
     * @param formerNames the former name by the present one
     */
    public RenamedScopes(IdempotencyStore store, Map<Scope, Scope> formerNames) {
        this(store, formerNames, InstantSource.system());
    }

    RenamedScopes(IdempotencyStore store, Map<Scope, Scope> formerNames, InstantSource clock) {
        super(store);
        this.formerNames = Map.copyOf(formerNames);
        this.clock = clock;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        Scope former = formerNames.get(request.record().scope());
        Optional<RecordSnapshot> left = former == null
                ? Optional.empty()
                : delegate().inspect(new RecordId(request.record().key(), former));
        return left.isEmpty() ? delegate().acquire(request) : acquire(request, left.get());
    }

    /** Blocks on acquires of renamed scopes, one after the other; everything else is passed on as it is. */
    @Override
    public AsyncIdempotencyStore async() {
        return new AsyncRenamedScopes(delegate().async(), super.async(), formerNames.keySet());
    }

    private Claim acquire(AcquireRequest request, RecordSnapshot left) {
        if (!request.fingerprint().matches(left.fingerprint())) {
            return new Claim.Mismatch();
        }
        Duration wait = Duration.between(clock.instant(), left.at());
        return switch (left.state()) {
            case COMPLETED -> new Claim.Replay(left.result(), left.fence());
            case REJECTED -> new Claim.Rejected(left.reason(), left.fence());
            case FAILED -> isOver(wait) ? grant(request, left) : new Claim.NotYet(wait);
            case PENDING -> leased(wait) ? new Claim.InProgress(atLeastAMoment(wait)) : grant(request, left);
            case ABSENT -> delegate().acquire(request);
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

    /** The fence goes on growing, and an owner that died under the old name is not forgotten. */
    private Claim grant(AcquireRequest request, RecordSnapshot left) {
        Claim claim = delegate().acquire(above(request, left.fence()));
        if (!(claim instanceof Claim.Granted granted) || !isFirst(granted)) {
            return claim;
        }
        return new Claim.Granted(
                granted.lease(), left.state() == RecordState.PENDING ? GrantKind.TAKEOVER : GrantKind.RETRY);
    }

    /** Also if it is repeated: its fence was given without a look at the former name, and does not tell of a takeover. */
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
