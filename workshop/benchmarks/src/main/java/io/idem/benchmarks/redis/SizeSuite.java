package io.idem.benchmarks.redis;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.contestant.PipelinedSets;
import io.idem.benchmarks.report.Figures;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** Measures the memory of a record in bytes, against a {@code SET … 1 PX …} under the same key. */
public final class SizeSuite implements Suite {

    private static final int RECORDS = 200_000;
    private static final int BATCH = 2_000;
    private static final int RESULT_BYTES = 200;
    private static final Scope SCOPE = new Scope("bench");

    private static final int SECONDS = 16;

    private final Servers servers;

    public SizeSuite(Servers servers) {
        this.servers = servers;
    }

    @Override
    public String name() {
        return "size";
    }

    @Override
    public int seconds() {
        return SECONDS;
    }

    @Override
    public int enoughRounds() {
        return FEW_ROUNDS;
    }

    @Override
    public void round(Figures figures, Random order) {
        byte[] content = new byte[RESULT_BYTES];
        order.nextBytes(content);
        double with = grown(() -> completed(StoredResult.of("raw", content)));
        double without = grown(() -> completed(StoredResult.NONE));
        List<String> names = names();
        double bare = grown(() -> bare(names));
        figures.add("bytes per record, completed: IDEM", "B", without);
        figures.add("bytes per record, completed, 200-byte result: IDEM", "B", with);
        figures.add("bytes per record: SET of the same key", "B", bare);
    }

    private double grown(Runnable writing) {
        servers.redis().command("FLUSHALL");
        double before = memory();
        writing.run();
        return (memory() - before) / RECORDS;
    }

    private double memory() {
        return Double.parseDouble(servers.redis().info("used_memory"));
    }

    private void completed(StoredResult result) {
        RedisSettings settings =
                RedisSettings.of(RedisURI.create(servers.redis().uri()));
        OwnerToken owner = OwnerToken.random(new SecureRandom());
        try (RedisIdempotencyStore store =
                new RedisIdempotencyStore(settings.withCommandTimeout(Duration.ofSeconds(30)))) {
            for (int first = 0; first < RECORDS; first += BATCH) {
                List<AcquireRequest> requests = IntStream.range(first, first + BATCH)
                        .mapToObj(number -> request(owner, number))
                        .toList();
                List<RecordUpdate> settles = store.acquire(requests).stream()
                        .map(SizeSuite::lease)
                        .<RecordUpdate>map(lease -> new RecordUpdate.Complete(lease, result))
                        .toList();
                store.update(settles).forEach(SizeSuite::await);
            }
        }
    }

    private static AcquireRequest request(OwnerToken owner, int number) {
        RecordId record = new RecordId(IdempotencyKey.of("bench-" + number), SCOPE);
        return new AcquireRequest(record, owner, Duration.ofSeconds(30), Duration.ofHours(24), Fingerprint.NONE, 0, 0);
    }

    private static Lease lease(CompletionStage<Claim> claim) {
        return ((Claim.Granted) await(claim)).lease();
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private List<String> names() {
        RedisClient client = RedisClient.create(servers.redis().uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            List<String> names = new ArrayList<>();
            ScanIterator.scan(connection.sync()).forEachRemaining(names::add);
            return names;
        } finally {
            client.shutdown();
        }
    }

    private void bare(List<String> names) {
        try (PipelinedSets sets = PipelinedSets.toServer(servers.redis().uri())) {
            for (int first = 0; first < names.size(); first += BATCH) {
                sets.flush(names.subList(first, Math.min(first + BATCH, names.size())), "");
            }
        }
    }
}
