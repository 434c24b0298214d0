package io.idem.zookeeper;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker that competes with others for a few records: it takes what it gets, works for a moment, and then completes,
 * gives back or dies without a word.
 */
final class Competitor {

    private static final Scope SCOPE = new Scope("payments");
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final int RENEWED = 3;
    private static final int DIES = 4;
    private static final int MOST_PARTS = 4;

    private final IdempotencyStore store;
    private final Witness witness;
    private final AtomicReferenceArray<RecordId> records;
    private final Duration lease;
    private final SecureRandom tokens = new SecureRandom();
    private final Random random;

    Competitor(
            IdempotencyStore store,
            Witness witness,
            AtomicReferenceArray<RecordId> records,
            Duration lease,
            long seed) {
        this.store = store;
        this.witness = witness;
        this.records = records;
        this.lease = lease;
        this.random = new Random(seed);
    }

    static RecordId newRecord() {
        return new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), SCOPE);
    }

    /** Tries once to get some record and to work on it. */
    void compete() {
        int place = random.nextInt(records.length());
        RecordId record = records.get(place);
        try {
            Optional<StoredResult> expected = witness.expected(record);
            long sentAt = System.nanoTime();
            Claim claim = store.acquire(request(record, lease, tokens));
            if (claim instanceof Claim.Replay replay) {
                witness.answered(record, expected, Optional.of(replay.result()));
                boolean unused = random.nextInt(MOST_PARTS) > 0 || records.compareAndSet(place, record, newRecord());
            } else if (claim instanceof Claim.Granted granted) {
                witness.answered(record, expected, Optional.empty());
                witness.granted(record, owner(granted.lease()), sentAt, lease, granted.isTakeover());
                work(granted.lease());
            }
        } catch (StoreUnavailableException away) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    static AcquireRequest request(RecordId record, Duration lease, SecureRandom tokens) {
        return new AcquireRequest(record, OwnerToken.random(tokens), lease, RETENTION, Fingerprint.NONE, 0, 0);
    }

    private static String owner(Lease lease) {
        return lease.owner() + "/" + lease.fence();
    }

    private void work(Lease granted) {
        RecordId record = granted.record();
        try {
            for (int part = random.nextInt(RENEWED); part > 0; part--) {
                LockSupport.parkNanos(random.nextLong(lease.toNanos() / 2));
                long sentAt = System.nanoTime();
                if (!(store.renew(granted) instanceof StoreAnswer.Ok)) {
                    return;
                }
                witness.renewed(record, owner(granted), sentAt, lease);
            }
        } finally {
            witness.left(record, owner(granted));
        }
        end(granted);
    }

    private void end(Lease granted) {
        int choice = random.nextInt(2 * DIES);
        if (choice < DIES / 2) {
            return;
        }
        if (choice == DIES) {
            StoreAnswer unused = store.fail(granted, Duration.ZERO);
            return;
        }
        StoredResult result = StoredResult.of("text", owner(granted).getBytes(StandardCharsets.US_ASCII));
        if (store.complete(granted, result) instanceof StoreAnswer.Ok ok) {
            witness.completed(granted.record(), ok.result());
        }
    }
}
