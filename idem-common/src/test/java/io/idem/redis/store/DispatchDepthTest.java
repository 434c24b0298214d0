package io.idem.redis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.micrometer.MeteredStore;
import io.idem.redis.RedisSettings;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.test.util.ReflectionTestUtils;

/**
 * Number of methods and lambdas of idem that are on the stack when Lettuce gets a script call on a real Redis, from {@code
 * execute} to the method that dispatches, both included. Those of the JDK and of Lettuce do not count.
 */
@Tag("servers")
class DispatchDepthTest {

    private static final int MOST_OF_ACQUIRE = 16;
    private static final int MOST_OF_COMPLETE = 26;

    private final ScriptFrames frames = new ScriptFrames();

    @Test
    void aCallReachesLettuceWithinSixteenAndTwentySixFrames() throws Exception {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own());
                RedisIdempotencyStore store =
                        new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(redis.uri())))) {
            frames.listenTo(store);
            execute(store, "k-1");
            frames.calls.clear();
            execute(store, "k-2");
        }

        assertThat(frames.calls).hasSize(2);
        assertThat(frames.calls.get(0)).hasSizeLessThanOrEqualTo(MOST_OF_ACQUIRE);
        assertThat(frames.calls.get(1)).hasSizeLessThanOrEqualTo(MOST_OF_COMPLETE);
    }

    private static void execute(RedisIdempotencyStore store, String key) throws Exception {
        Operation operation = Operation.of(
                IdempotencyKey.of(key),
                new Scope("payments"),
                ExecutionPolicy.of(Duration.ofMinutes(10), Duration.ofHours(24)));
        RetryingIdempotencyStore retrying =
                new RetryingIdempotencyStore(store, RetrySettings.within(RetrySettings.DEFAULT_BUDGET));
        IdempotentExecutor executor = IdempotentExecutor.on(new MeteredStore(retrying, new SimpleMeterRegistry()))
                .build();
        Outcome<String> outcome =
                executor.execute(operation, context -> new WorkResult.Complete<>("done", StoredResult.NONE));
        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
    }

    /** Notes who calls a script, the first call last. */
    private static final class ScriptFrames implements CommandListener {

        private final List<List<String>> calls = new CopyOnWriteArrayList<>();

        /** Listens to the connection that the store has not made yet. */
        void listenTo(RedisIdempotencyStore store) {
            Object owner = store;
            for (String field : List.of("redis", "connection", "client", "client")) {
                owner = Objects.requireNonNull(ReflectionTestUtils.getField(owner, field));
            }
            ((AbstractRedisClient) owner).addListener(this);
        }

        @Override
        public void commandStarted(CommandStartedEvent event) {
            if (event.getCommand().getType().toString().startsWith("EVAL")) {
                List<String> frames = new ArrayList<>();
                for (StackTraceElement frame : new Throwable().getStackTrace()) {
                    if (frame.getClassName().startsWith("io.idem.")
                            && !frame.getClassName().startsWith(DispatchDepthTest.class.getName())) {
                        frames.add(frame.toString());
                    }
                }
                calls.add(frames);
            }
        }
    }
}
