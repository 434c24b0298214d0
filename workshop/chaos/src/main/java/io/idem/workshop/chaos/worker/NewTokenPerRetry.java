package io.idem.workshop.chaos.worker;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.OwnerToken;
import io.idem.StoreUnavailableException;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Repeats ACQUIRE for as long as the library would, but with a new owner token for each attempt. */
final class NewTokenPerRetry extends PerRequestStore {

    private static final int BUDGETS_PER_LEASE = 3;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final SecureRandom random = new SecureRandom();

    NewTokenPerRetry(IdempotencyStore store) {
        super(store);
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        long end = System.nanoTime() + request.lease().toNanos() / BUDGETS_PER_LEASE;
        while (true) {
            try {
                return super.acquire(byAnotherOwner(request));
            } catch (StoreUnavailableException failed) {
                if (System.nanoTime() - end >= 0) {
                    throw failed;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private AcquireRequest byAnotherOwner(AcquireRequest request) {
        return new AcquireRequest(
                request.record(),
                OwnerToken.random(random),
                request.lease(),
                request.retention(),
                request.fingerprint(),
                request.fenceFloor(),
                request.maxAttempts());
    }
}
