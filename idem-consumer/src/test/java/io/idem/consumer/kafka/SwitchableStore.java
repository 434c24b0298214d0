package io.idem.consumer.kafka;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.consumer.contract.MovableClock;
import io.idem.consumer.contract.Resettable;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** An in-memory store that a test can watch, silence, and take records from. */
final class SwitchableStore extends PerRequestStore implements Resettable {

    private final AtomicInteger completionsToFail = new AtomicInteger();
    private final AtomicInteger acquiresToFail = new AtomicInteger();
    private final InMemoryIdempotencyStore records;
    private final MovableClock clock;
    private final Set<Lease> held = ConcurrentHashMap.newKeySet();
    private final List<StoreAnswer> completions = new CopyOnWriteArrayList<>();
    private volatile Runnable beforeComplete = () -> {};
    private volatile Consumer<RecordId> beforeAcquire = record -> {};
    private volatile boolean deafToRenew;

    SwitchableStore() {
        this(new MovableClock());
    }

    private SwitchableStore(MovableClock clock) {
        this(clock, new InMemoryIdempotencyStore(clock));
    }

    private SwitchableStore(MovableClock clock, InMemoryIdempotencyStore records) {
        super(records);
        this.records = records;
        this.clock = clock;
    }

    /** Whether the applications have settled all that they were granted. */
    boolean settled() {
        return held.isEmpty();
    }

    /** Forgets all records and answers again, for the next test. */
    @Override
    public void reset() {
        records.clear();
        held.clear();
        completions.clear();
        completionsToFail.set(0);
        acquiresToFail.set(0);
        beforeComplete = () -> {};
        beforeAcquire = record -> {};
        deafToRenew = false;
    }

    /** Ends all leases, as if their owners had not been heard of for long. */
    void letLeasesLapse() {
        deafToRenew = true;
        clock.moveAhead(Duration.ofMinutes(10));
    }

    /** What COMPLETE was answered, in its order. */
    List<StoreAnswer> completions() {
        return completions;
    }

    /** Called by the owner's thread right before each COMPLETE. */
    void beforeComplete(Runnable action) {
        beforeComplete = action;
    }

    /** Called by whoever acquires right before each ACQUIRE. */
    void beforeAcquire(Consumer<RecordId> action) {
        beforeAcquire = action;
    }

    void failCompletions(int times) {
        completionsToFail.set(times);
    }

    void failAcquires(int times) {
        acquiresToFail.set(times);
    }

    /** Makes somebody else the owner of a record. */
    Lease occupy(String key, String scope, Duration lease) {
        RecordId record = new RecordId(IdempotencyKey.of(key), new Scope(scope));
        AcquireRequest request = new AcquireRequest(
                record,
                OwnerToken.random(new SecureRandom()),
                lease,
                Duration.ofHours(1),
                io.idem.Fingerprint.NONE,
                0,
                0);
        return ((Claim.Granted) delegate().acquire(request)).lease();
    }

    Optional<RecordSnapshot> look(String key, String scope) {
        return inspect(new RecordId(IdempotencyKey.of(key), new Scope(scope)));
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        beforeAcquire.accept(request.record());
        failIf(acquiresToFail);
        Claim claim = super.acquire(request);
        if (claim instanceof Claim.Granted granted) {
            held.add(granted.lease());
        }
        return claim;
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        beforeComplete.run();
        failIf(completionsToFail);
        StoreAnswer answer = super.complete(lease, result);
        held.remove(lease);
        completions.add(answer);
        return answer;
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        StoreAnswer answer = super.fail(lease, delay);
        held.remove(lease);
        return answer;
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        StoreAnswer answer = super.reject(lease, reason);
        held.remove(lease);
        return answer;
    }

    @Override
    public StoreAnswer renew(Lease lease) {
        if (deafToRenew) {
            throw unavailable();
        }
        return super.renew(lease);
    }

    private static void failIf(AtomicInteger left) {
        if (left.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
            throw unavailable();
        }
    }

    private static StoreUnavailableException unavailable() {
        return new StoreUnavailableException(
                "silenced by the test", StoreUnavailableException.Execution.UNKNOWN, new IllegalStateException());
    }
}
