package io.idem.benchmarks.contestant;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;

/** The floor of a batch: {@code SET NX PX} for each key in one flush, answers awaited, and the same once more. */
public final class PipelinedSets implements BatchContestant {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final SetArgs CLAIM = SetArgs.Builder.nx().px(86_400_000);

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    /** Connects. */
    public PipelinedSets(String uri) {
        client = RedisClient.create(uri);
        connection = client.connect();
        connection.setAutoFlushCommands(false);
    }

    @Override
    public void batch(List<String> keys) {
        flush(keys, "");
        flush(keys, ":done");
    }

    /** One command for each key in one flush; returns when all are answered. */
    public void flush(List<String> keys, String suffix) {
        RedisFuture<?>[] answers = keys.stream()
                .map(key -> connection.async().set(key + suffix, "1", CLAIM))
                .toArray(RedisFuture<?>[]::new);
        connection.flushCommands();
        if (!LettuceFutures.awaitAll(PATIENCE, answers)) {
            throw new IllegalStateException("Redis did not answer within " + PATIENCE);
        }
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
