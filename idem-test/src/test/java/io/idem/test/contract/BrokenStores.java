package io.idem.test.contract;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Stores with the three classic flaws. */
final class BrokenStores {

    private BrokenStores() {}

    /** Lets everybody settle whatever is pending and read its steps, as stores do that look at the key alone. */
    static final class IgnoresOwner extends PerRequestStore {

        private final Map<RecordId, Lease> current = new HashMap<>();

        IgnoresOwner(IdempotencyStore store) {
            super(store);
        }

        @Override
        public synchronized Claim acquire(AcquireRequest request) {
            Claim claim = super.acquire(request);
            if (claim instanceof Claim.Granted granted) {
                current.put(request.record(), granted.lease());
            }
            return claim;
        }

        private synchronized Lease current(Lease lease) {
            return current.getOrDefault(lease.record(), lease);
        }

        @Override
        public StoreAnswer renew(Lease lease) {
            return super.renew(current(lease));
        }

        @Override
        public StoreAnswer complete(Lease lease, StoredResult result) {
            return super.complete(current(lease), result);
        }

        @Override
        public StoreAnswer fail(Lease lease, Duration delay) {
            return super.fail(current(lease), delay);
        }

        @Override
        public StoreAnswer reject(Lease lease, String reason) {
            return super.reject(current(lease), reason);
        }

        @Override
        public StoreAnswer update(RecordUpdate update) {
            Lease theirs = current(update.lease());
            if (update instanceof RecordUpdate.Fail fail && !fail.counted()) {
                return super.update(new RecordUpdate.Fail(theirs, fail.delay(), false));
            }
            return super.update(update instanceof RecordUpdate.Recall ? new RecordUpdate.Recall(theirs) : update);
        }
    }

    /** Takes one key for two payloads. */
    static final class ForgetsFingerprint extends PerRequestStore {

        ForgetsFingerprint(IdempotencyStore store) {
            super(store);
        }

        @Override
        public Claim acquire(AcquireRequest request) {
            return super.acquire(new AcquireRequest(
                    request.record(),
                    request.owner(),
                    request.lease(),
                    request.retention(),
                    Fingerprint.NONE,
                    request.fenceFloor(),
                    request.maxAttempts()));
        }
    }

    /** Marks work as done when it begins, so that a crash loses it. */
    static final class DoneTooEarly extends PerRequestStore {

        DoneTooEarly(IdempotencyStore store) {
            super(store);
        }

        @Override
        public Claim acquire(AcquireRequest request) {
            Claim claim = super.acquire(request);
            if (claim instanceof Claim.Granted granted) {
                complete(granted.lease(), StoredResult.NONE);
            }
            return claim;
        }
    }
}
