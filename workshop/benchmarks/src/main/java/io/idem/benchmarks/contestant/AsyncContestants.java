package io.idem.benchmarks.contestant;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.function.BiFunction;

/** The asynchronous contestants. */
public enum AsyncContestants {
    TWO_PINGS {
        @Override
        public AsyncContestant connect(String uri) {
            return new Bare(uri, (redis, key) -> redis.ping());
        }
    },
    TWO_SETS {
        @Override
        public AsyncContestant connect(String uri) {
            return new Bare(uri, (redis, key) -> redis.set(key, "1", CLAIM));
        }
    },
    IDEM {
        @Override
        public AsyncContestant connect(String uri) {
            return new Idem(uri);
        }
    };

    private static final SetArgs CLAIM = SetArgs.Builder.nx().px(86_400_000);

    /** Connects to the Redis server of this URI with one connection. */
    public abstract AsyncContestant connect(String uri);

    private record Bare(
            RedisClient client,
            StatefulRedisConnection<String, String> connection,
            BiFunction<RedisAsyncCommands<String, String>, String, CompletionStage<?>> command)
            implements AsyncContestant {

        Bare(String uri, BiFunction<RedisAsyncCommands<String, String>, String, CompletionStage<?>> command) {
            this(RedisClient.create(uri), command);
        }

        private Bare(
                RedisClient client,
                BiFunction<RedisAsyncCommands<String, String>, String, CompletionStage<?>> command) {
            this(client, client.connect(), command);
        }

        @Override
        public CompletionStage<?> pair(String key) {
            RedisAsyncCommands<String, String> redis = connection.async();
            return command.apply(redis, key).thenCompose(first -> command.apply(redis, key + ":done"));
        }

        @Override
        public void close() {
            connection.close();
            client.shutdown();
        }
    }

    private static final class Idem implements AsyncContestant {

        private static final Scope SCOPE = new Scope("bench");
        private static final ExecutionPolicy POLICY = ExecutionPolicy.defaults();

        private final IdempotencyStore store;
        private final IdempotentExecutor executor;
        private final AsyncIdempotentExecutor async;

        Idem(String uri) {
            store = IdemContestant.redis(uri);
            executor = IdempotentExecutor.on(store).build();
            async = executor.async(ForkJoinPool.commonPool());
        }

        @Override
        public CompletionStage<?> pair(String key) {
            CompletionStage<Outcome<Integer>> outcome = async.execute(
                    Operation.of(IdempotencyKey.of(key), SCOPE, POLICY),
                    context -> CompletableFuture.completedStage(new WorkResult.Complete<>(1, StoredResult.NONE)));
            return outcome;
        }

        @Override
        public void close() {
            executor.close();
            store.close();
        }
    }
}
