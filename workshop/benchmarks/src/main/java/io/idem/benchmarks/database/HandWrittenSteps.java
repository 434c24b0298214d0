package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The control of steps on Redis: a claim that lapses, a hash with what the provider answered, and a mark that all is
 * done. Eight plain commands in four round trips, as many as with idem; commands that can be are sent together.
 */
final class HandWrittenSteps extends CallerWay {

    private static final String WORKING = "working";
    private static final String DONE = "done";
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RETENTION = Duration.ofHours(24);

    private final Provider provider;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> redis;

    HandWrittenSteps(String uri, Provider provider) {
        this.provider = provider;
        client = RedisClient.create(uri);
        connection = client.connect();
        redis = connection.async();
    }

    @Override
    void message(UUID key) {
        String order = order(key);
        String answers = answers(key);
        RedisFuture<String> claim =
                redis.set(order, WORKING, SetArgs.Builder.nx().px(LEASE));
        RedisFuture<Map<String, String>> known = redis.hgetall(answers);
        if (answer(claim) == null) {
            return;
        }
        call(answers, "charge", answer(known));
        call(answers, "reserve", answer(known));
        RedisFuture<String> done = redis.set(order, DONE, SetArgs.Builder.px(RETENTION));
        RedisFuture<Long> forgotten = redis.del(answers);
        answer(done);
        answer(forgotten);
    }

    private void call(String answers, String name, Map<String, String> known) {
        if (known.containsKey(name)) {
            return;
        }
        RedisFuture<Boolean> kept = redis.hsetnx(answers, name, provider.call(answers + ":" + name));
        RedisFuture<Boolean> expiry = redis.pexpire(answers, RETENTION);
        answer(kept);
        answer(expiry);
    }

    static String order(UUID key) {
        return "order:{" + key + "}";
    }

    static String answers(UUID key) {
        return order(key) + ":answers";
    }

    private static <T> T answer(RedisFuture<T> future) {
        return future.toCompletableFuture().join();
    }

    @Override
    public List<HikariDataSource> pools() {
        return List.of();
    }

    @Override
    public void close() {
        super.close();
        connection.close();
        client.shutdown();
    }
}
