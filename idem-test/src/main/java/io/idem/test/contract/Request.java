package io.idem.test.contract;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.RecordId;
import java.security.SecureRandom;
import java.time.Duration;

/** Builds acquire requests of a new owner; every method returns a copy. */
record Request(
        RecordId record,
        OwnerToken owner,
        Duration lease,
        Duration retention,
        Fingerprint fingerprint,
        long fenceFloor,
        int maxAttempts) {

    private static final SecureRandom RANDOM = new SecureRandom();

    static Request of(RecordId record) {
        return new Request(
                record, OwnerToken.random(RANDOM), StoreSection.LEASE, StoreSection.RETENTION, Fingerprint.NONE, 0, 0);
    }

    Request leasedFor(Duration duration) {
        return new Request(record, owner, duration, retention, fingerprint, fenceFloor, maxAttempts);
    }

    Request retainedFor(Duration duration) {
        return new Request(record, owner, lease, duration, fingerprint, fenceFloor, maxAttempts);
    }

    Request fingerprinted(Fingerprint of) {
        return new Request(record, owner, lease, retention, of, fenceFloor, maxAttempts);
    }

    Request above(long floor) {
        return new Request(record, owner, lease, retention, fingerprint, floor, maxAttempts);
    }

    Request limitedTo(int attempts) {
        return new Request(record, owner, lease, retention, fingerprint, fenceFloor, attempts);
    }

    AcquireRequest build() {
        return new AcquireRequest(record, owner, lease, retention, fingerprint, fenceFloor, maxAttempts);
    }
}
