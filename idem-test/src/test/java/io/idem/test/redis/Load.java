package io.idem.test.redis;

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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that acquire and complete records of a few keys, drawn from a seed, until they are stopped. Remembers what they were
 * told: who was granted what, which completions were confirmed, when work went on, and what else than an answer came.
 */
final class Load implements AutoCloseable {

    private static final int THREADS = 4;
    private static final int KEYS = 400;
    private static final Duration LEASE = Duration.ofMinutes(10);

    /** A grant that somebody was told of. */
    record Grant(RecordId record, OwnerToken owner, long fence) {}

    private final IdempotencyStore store;
    private final List<Thread> threads = new ArrayList<>();
    private final List<RecordId> records = new ArrayList<>();
    private final Queue<Grant> grants = new ConcurrentLinkedQueue<>();
    private final Map<RecordId, Grant> completed = new ConcurrentHashMap<>();
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong unavailable = new AtomicLong();
    private final AtomicLong lastAnswer = new AtomicLong(System.nanoTime());
    private final AtomicLong longestPause = new AtomicLong();
    private volatile boolean stopped;

    private Load(IdempotencyStore store) {
        this.store = store;
    }

    static Load start(IdempotencyStore store, long seed) {
        Load load = new Load(store);
        Random random = new Random(seed);
        for (int i = 0; i < KEYS; i++) {
            load.records.add(new RecordId(IdempotencyKey.of(seed + "-" + i), new Scope("payments")));
        }
        for (int i = 0; i < THREADS; i++) {
            Random own = new Random(random.nextLong());
            Thread thread = new Thread(() -> load.work(own), "load-" + i);
            load.threads.add(thread);
            thread.start();
        }
        return load;
    }

    private void work(Random random) {
        while (!stopped) {
            try {
                once(records.get(random.nextInt(KEYS)));
            } catch (StoreUnavailableException away) {
                unavailable.incrementAndGet();
            } catch (RuntimeException | Error surprise) {
                surprises.add(surprise.toString());
            }
        }
    }

    private void once(RecordId record) {
        AcquireRequest request = new AcquireRequest(
                record, OwnerToken.random(new SecureRandom()), LEASE, Duration.ofHours(1), Fingerprint.NONE, 0, 0);
        Claim claim = store.acquire(request);
        answered();
        if (claim instanceof Claim.Granted granted) {
            Lease lease = granted.lease();
            grants.add(new Grant(record, request.owner(), lease.fence()));
            complete(new Grant(record, request.owner(), lease.fence()), lease);
        }
    }

    private void complete(Grant grant, Lease lease) {
        StoreAnswer settlement = store.complete(lease, StoredResult.NONE);
        answered();
        if (settlement instanceof StoreAnswer.Ok) {
            Grant other = completed.putIfAbsent(grant.record(), grant);
            if (other != null) {
                surprises.add("completed twice: " + grant + " after " + other);
            }
        } else {
            surprises.add("a confirmed grant was lost: " + grant + " " + settlement);
        }
    }

    private void answered() {
        long now = System.nanoTime();
        longestPause.accumulateAndGet(now - lastAnswer.getAndSet(now), Math::max);
        answers.incrementAndGet();
    }

    long answers() {
        return answers.get();
    }

    List<String> surprises() {
        return List.copyOf(surprises);
    }

    List<Grant> grants() {
        return List.copyOf(grants);
    }

    Map<RecordId, Grant> completed() {
        return Map.copyOf(completed);
    }

    /** For the report: how much was done, and for how long nothing was. */
    @Override
    public String toString() {
        return "%d answers, %d calls without one, %d grants, %d completed, longest pause %d ms"
                .formatted(
                        answers.get(),
                        unavailable.get(),
                        grants.size(),
                        completed.size(),
                        Duration.ofNanos(longestPause.get()).toMillis());
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
