package io.idem.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Claim;
import io.idem.RecordId;
import io.idem.StoredResult;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.servers.RunningZooKeeper;
import io.idem.servers.ZooKeeperEnsemble;
import io.idem.servers.ZooKeeperServers;
import io.idem.spi.IdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers compete for a few records while members of the ensemble are killed and frozen: no two owners at a time, and
 * nothing that was completed is forgotten. The control shows that the test can fail.
 */
@Tag("extended")
class EnsembleFaultsTest {

    private static final Logger LOG = LoggerFactory.getLogger(EnsembleFaultsTest.class);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int CLIENTS = 4;
    private static final int WORKERS = 8;
    private static final int RECORDS = 6;
    private static final int FAULTS = Integer.getInteger("idem.zookeeper.faults", 12);

    private static ZooKeeperEnsemble ensemble;

    private final long seed = Long.getLong("idem.zookeeper.seed", System.nanoTime());
    private final String root = "/test-" + UUID.randomUUID();
    private final Witness witness = new Witness();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReferenceArray<RecordId> records = new AtomicReferenceArray<>(RECORDS);
    private final List<ZooKeeperConnection> connections = new ArrayList<>();
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);

    @BeforeAll
    static void start() {
        ensemble = ZooKeeperServers.ensemble(3);
    }

    @AfterAll
    static void stopServers() {
        ensemble.close();
    }

    @AfterEach
    void stop() {
        over.set(true);
        workers.shutdownNow();
        connections.forEach(ZooKeeperConnection::close);
    }

    @Test
    void neitherTwoOwnersNorForgottenWorkWhileMembersDieAndFreeze() {
        compete(Duration.ofMillis(1_500), true);
        Random random = new Random(seed);
        for (int fault = 0; fault < FAULTS; fault++) {
            int before = witness.grants();
            fail(random);
            await().atMost(PATIENCE).until(() -> witness.grants() > before + WORKERS);
        }
        end();

        LOG.info("{} faults, seed {}: {}", FAULTS, seed, witness);
        assertThat(witness.grants()).isGreaterThan(FAULTS * WORKERS);
        assertThat(witness.takeovers()).isPositive();
        assertThat(witness.completed()).isNotEmpty();
        assertThat(witness.overlaps()).as("two owners at a time: %s", witness).isZero();
        assertThat(forgottenAtTheEnd()).isEmpty();
        assertThat(witness.forgotten()).as("forgotten work: %s", witness).isZero();
    }

    @Test
    void withoutComparingVersionsBothHappen() {
        compete(Duration.ofMillis(200), false);

        await().atMost(PATIENCE).until(() -> witness.overlaps() > 0 && witness.forgotten() > 0);
        end();
        LOG.info("Versions not compared, seed {}: {}", seed, witness);
    }

    private void compete(Duration lease, boolean comparing) {
        for (int i = 0; i < RECORDS; i++) {
            records.set(i, Competitor.newRecord());
        }
        for (int client = 0; client < CLIENTS; client++) {
            IdempotencyStore store = store(comparing);
            for (int worker = 0; worker < WORKERS / CLIENTS; worker++) {
                Competitor competitor = new Competitor(store, witness, records, lease, seed + 100L * client + worker);
                var unused = workers.submit(() -> {
                    while (!over.get()) {
                        competitor.compete();
                    }
                });
            }
        }
    }

    private IdempotencyStore store(boolean comparing) {
        ZooKeeperConnection connection = new ZooKeeperConnection(new ZooKeeperSettings(
                ensemble.connectString(), root, Duration.ofSeconds(2), Duration.ofSeconds(1), Optional.empty()));
        connections.add(connection);
        return new RetryingIdempotencyStore(
                new ZooKeeperIdempotencyStore(connection, comparing), RetrySettings.within(Duration.ofMillis(500)));
    }

    private static void fail(Random random) {
        List<RunningZooKeeper> members = ensemble.members();
        RunningZooKeeper any = members.get(random.nextInt(members.size()));
        RunningZooKeeper victim = random.nextBoolean() ? ensemble.leader().orElse(any) : any;
        if (random.nextBoolean()) {
            victim.kill();
            victim.start();
        } else {
            victim.freeze();
            LockSupport.parkNanos(Duration.ofMillis(200 + random.nextInt(5_000)).toNanos());
            victim.thaw();
        }
        await().atMost(PATIENCE).until(() -> ensemble.leader().isPresent());
    }

    private void end() {
        over.set(true);
        workers.shutdown();
        await().atMost(PATIENCE).until(() -> workers.awaitTermination(1, TimeUnit.MILLISECONDS));
        ensemble.members().forEach(RunningZooKeeper::awaitService);
    }

    /** Asks another client for everything that was completed. */
    private List<RecordId> forgottenAtTheEnd() {
        IdempotencyStore another = store(true);
        SecureRandom tokens = new SecureRandom();
        List<RecordId> forgotten = new ArrayList<>();
        for (Map.Entry<RecordId, StoredResult> done : witness.completed().entrySet()) {
            Claim claim = another.acquire(Competitor.request(done.getKey(), Duration.ofMinutes(1), tokens));
            boolean known =
                    claim instanceof Claim.Replay replay && replay.result().equals(done.getValue());
            if (!known) {
                forgotten.add(done.getKey());
            }
        }
        return forgotten;
    }
}
