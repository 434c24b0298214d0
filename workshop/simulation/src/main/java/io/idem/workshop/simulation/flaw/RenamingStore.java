package io.idem.workshop.simulation.flaw;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.OwnerToken;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.security.SecureRandom;

/** Uses a new owner token for every attempt of an acquire. */
final class RenamingStore extends PerRequestStore {

    private final SecureRandom random = new SecureRandom();

    RenamingStore(IdempotencyStore store) {
        super(store);
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        return super.acquire(new AcquireRequest(
                request.record(),
                OwnerToken.random(random),
                request.lease(),
                request.retention(),
                request.fingerprint(),
                request.fenceFloor(),
                request.maxAttempts()));
    }
}
