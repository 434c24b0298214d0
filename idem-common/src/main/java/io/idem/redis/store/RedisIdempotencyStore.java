package io.idem.redis.store;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.internal.redis.client.RedisCaller;
import io.idem.internal.redis.client.RedisConnection;
import io.idem.internal.redis.replication.ReplicatedScripts;
import io.idem.internal.redis.script.Keys;
import io.idem.internal.redis.script.RecordReader;
import io.idem.internal.redis.script.Replies;
import io.idem.internal.redis.script.ScriptArguments;
import io.idem.internal.redis.script.ScriptRunner;
import io.idem.internal.redis.script.Scripting;
import io.idem.internal.redis.script.Scripts;
import io.idem.internal.redis.script.TransitionScripts;
import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.redis.UnsuitableRedisException;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/**
 * A store on Redis 7.0 or newer. Connects on first use, through a client of its own, and reconnects by itself; while
 * there is no connection, every call fails at once. Thread-safe. All callers share one connection. While two calls are
 * in flight, requests of other callers are collected for one call, until one is answered, or for 2 ms at most. Batches
 * travel in one flush, with at most {@value ScriptRunner#MOST_RECORDS} records per script call; long results are sent
 * in calls of {@value PacedScripts#MOST_TOGETHER} bytes, one after the other if there are many.
 */
public final class RedisIdempotencyStore implements IdempotencyStore {

    /** So many keys are most probably on all masters of a cluster. */
    private static final int MOST_TRIALS = 64;

    private final RedisSettings settings;
    private final RedisConnection connection;
    private final RedisCaller redis;
    private final Keys keys;
    private final TransitionScripts transitions = new TransitionScripts(Scripts.load());
    private final Scripting scripts;
    private final Optional<ReplicatedScripts> replicated;
    private final RecordReader reader;
    private final CoalescingBatches batches;

    /** Creates a store, which does not connect yet. */
    public RedisIdempotencyStore(RedisSettings settings) {
        this.settings = settings;
        this.connection = new RedisConnection(settings);
        this.redis = new RedisCaller(connection, settings.commandTimeout());
        this.keys = new Keys(settings.namespace());
        boolean spread = settings.topology() instanceof RedisTopology.Cluster;
        this.scripts = new ScriptRunner(redis, keys, spread ? 1 : ScriptRunner.MOST_RECORDS);
        this.replicated = settings.replication().isOn()
                ? Optional.of(new ReplicatedScripts(scripts, transitions, connection, settings))
                : Optional.empty();
        this.reader = new RecordReader(redis, keys);
        Scripting confirmed =
                replicated.<Scripting>map(confirming -> confirming).orElse(scripts);
        this.batches = new CoalescingBatches(
                new RedisBatches(new PacedScripts(confirmed), transitions, reader, connection::refusal));
    }

    /**
     * Connects, unless connected already, and checks the server. Optional, because the first call does the same.
     * Blocks.
     *
     * @throws UnsuitableRedisException if the server must not be used
     * @throws StoreUnavailableException if the server does not answer
     */
    public void checkServer() {
        try {
            check();
        } catch (StoreUnavailableException failed) {
            throw failed.getCause() instanceof UnsuitableRedisException unsuitable ? unsuitable : failed;
        }
    }

    /** Looks at all servers that can be reached, and acquires and ends a record on each master: the end reads, too. */
    @Override
    public void check() {
        Set<RedisURI> masters = new HashSet<>();
        List<AcquireRequest> trials = redis.callOn(
                "INFO",
                live -> connection
                        .look(live)
                        .thenApply(looked -> IntStream.range(0, MOST_TRIALS)
                                .mapToObj(AcquireRequest::trial)
                                .filter(trial -> masters.add(live.masterOf(keys.of(trial.record()), settings)))
                                .toList()));
        for (CompletionStage<Claim> claim : acquire(trials)) {
            if (Stages.join(claim) instanceof Claim.Granted granted) {
                var unused = update(new RecordUpdate.Fail(granted.lease(), Duration.ZERO));
            }
        }
    }

    /** Returns how many keys Redis has evicted while this store was looking: once a minute, and with {@link #check}. */
    public long evictedKeys() {
        return connection.evictedKeys();
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return batches.acquire(requests);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return batches.update(updates);
    }

    /** Returns an empty value: this store never blocks its caller. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.empty();
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        ScriptArguments line = transitions.reopen(record, expectedFence, retention);
        return Replies.answer(record, redis.await(scripts.run(line)), StoredResult.NONE);
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        ScriptArguments line = transitions.force(record, expectedFence, end, retention);
        return Replies.answer(record, redis.await(scripts.run(line)), StoredResult.NONE);
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        ScriptArguments line = transitions.erase(record);
        return Replies.answer(record, redis.await(scripts.run(line)), StoredResult.NONE);
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return reader.read(record).map(found -> found.snapshot(record));
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return reader.readAll(key);
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        return reader.steps(record);
    }

    @Override
    public void announce(Scope scope) {
        redis.call(
                "SADD of scope " + scope,
                commands -> commands.sadd(keys.scopes(), scope.name().getBytes(StandardCharsets.US_ASCII)));
    }

    /** Closes the connection and ends the client's threads. */
    @Override
    public void close() {
        replicated.ifPresent(ReplicatedScripts::close);
        redis.close();
    }
}
