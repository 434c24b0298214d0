package io.idem.model.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.workshop.simulation.check.Names;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Load of several threads on few records: leases of a millisecond, owners that settle late or never, and calls that are sent
 * again.
 *
 * @param threads number of threads, each with a store of its own
 * @param attempts attempts of each thread in a round, which has records of its own
 */
record StoreLoad(int threads, int attempts) {

    private static final int KEYS = 80;
    private static final int MOST_ROUNDS = 100;
    private static final int MOST_ATTEMPTS = 12;
    private static final int MOST_HELD = 4;
    private static final Duration LEASE = Duration.ofMillis(3);
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final SecureRandom TOKENS = new SecureRandom();

    /** Runs one round. Blocks until all threads have ended. */
    void run(Supplier<IdempotencyStore> stores) throws Exception {
        run(stores, () -> true);
    }

    /**
     * Runs rounds until {@code enough}, which each thread asks after each of them, and a hundred at most. Blocks until all
     * threads have ended.
     */
    void run(Supplier<IdempotencyStore> stores, BooleanSupplier enough) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Integer>> ends = executor.invokeAll(IntStream.range(0, threads)
                    .mapToObj(seed -> (Callable<Integer>) () -> work(seed, stores.get(), enough))
                    .toList());
            for (Future<Integer> end : ends) {
                assertThat(end.get()).as("grants of a thread").isPositive();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private int work(long seed, IdempotencyStore store, BooleanSupplier enough) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Lease> held = new ArrayList<>();
        int grants = 0;
        try (store) {
            int rounds = 0;
            do {
                grants += round(rounds++ * KEYS, store, random, held);
            } while (rounds < MOST_ROUNDS && !enough.getAsBoolean());
        }
        return grants;
    }

    private int round(int firstKey, IdempotencyStore store, SplittableRandom random, List<Lease> held) {
        int grants = 0;
        for (int i = 0; i < attempts; i++) {
            AcquireRequest request = request(firstKey + random.nextInt(KEYS));
            boolean twice = random.nextInt(4) == 0;
            Claim claim = answered(() -> store.acquire(request));
            if (claim instanceof Claim.Granted granted) {
                grants++;
                held.add((twice && answered(() -> store.acquire(request)) instanceof Claim.Granted again
                                ? again
                                : granted)
                        .lease());
            }
            if (!held.isEmpty() && (held.size() > MOST_HELD || random.nextBoolean())) {
                end(store, held.remove(random.nextInt(held.size())), random);
            }
        }
        return grants;
    }

    private static void end(IdempotencyStore store, Lease lease, SplittableRandom random) {
        RecordUpdate update = switch (random.nextInt(6)) {
            case 0 -> new RecordUpdate.Renew(lease);
            case 1 -> new RecordUpdate.Complete(lease, StoredResult.NONE);
            default -> new RecordUpdate.Fail(lease, Duration.ZERO);
        };
        for (int i = 0; i <= random.nextInt(2); i++) {
            var unused = answered(() -> store.update(update));
        }
    }

    /** Repeats a call until it is answered, as a process does whose connection was lost. */
    private static <T> T answered(Supplier<T> call) {
        while (true) {
            try {
                return call.get();
            } catch (StoreUnavailableException unanswered) {
                Thread.onSpinWait();
            }
        }
    }

    private static AcquireRequest request(int key) {
        return new AcquireRequest(
                new RecordId(IdempotencyKey.of("k" + key), new Scope(Names.CONSUMER)),
                OwnerToken.random(TOKENS),
                LEASE,
                RETENTION,
                Fingerprint.NONE,
                0,
                MOST_ATTEMPTS);
    }
}
