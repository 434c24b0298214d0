package io.idem.consumer.kafka;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Lease;
import io.idem.spi.OwnerToken;
import io.idem.spi.RecordId;
import io.idem.spi.RecordSnapshot;
import io.idem.spi.Settlement;
import io.idem.spi.StoredResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** An in-memory store that a test can watch, silence, and take records from. */
final class SwitchableStore implements IdempotencyStore {

    private final InMemoryIdempotencyStore real = new InMemoryIdempotencyStore();
    private final AtomicInteger completionsToFail = new AtomicInteger();
    private final AtomicInteger acquiresToFail = new AtomicInteger();
    private volatile Runnable beforeComplete = () -> {};

    /** Called by the owner's thread right before each COMPLETE. */
    void beforeComplete(Runnable action) {
        beforeComplete = action;
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
        return ((Claim.Granted) real.acquire(request)).lease();
    }

    Optional<RecordSnapshot> look(String key, String scope) {
        return real.inspect(new RecordId(IdempotencyKey.of(key), new Scope(scope)));
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        failIf(acquiresToFail);
        return real.acquire(request);
    }

    @Override
    public Settlement renew(Lease lease) {
        return real.renew(lease);
    }

    @Override
    public Settlement complete(Lease lease, StoredResult result) {
        beforeComplete.run();
        failIf(completionsToFail);
        return real.complete(lease, result);
    }

    private static void failIf(AtomicInteger left) {
        if (left.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
            throw new StoreUnavailableException(
                    "silenced by the test", StoreUnavailableException.Execution.UNKNOWN, new IllegalStateException());
        }
    }

    @Override
    public Settlement fail(Lease lease, Duration delay) {
        return real.fail(lease, delay);
    }

    @Override
    public Settlement reject(Lease lease, String reason) {
        return real.reject(lease, reason);
    }

    @Override
    public Settlement reopen(RecordId record, long expectedFence, Duration retention) {
        return real.reopen(record, expectedFence, retention);
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return real.inspect(record);
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return real.inspectAll(key);
    }

    @Override
    public void announce(Scope scope) {
        real.announce(scope);
    }

    @Override
    public void close() {}
}
