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
import io.idem.internal.redis.client.RedisCaller;
import io.idem.internal.redis.client.RedisFailures;
import io.idem.internal.redis.replication.ReplicatedScripts;
import io.idem.internal.redis.script.Keys;
import io.idem.internal.redis.script.PlainScripts;
import io.idem.internal.redis.script.RecordReader;
import io.idem.internal.redis.script.ScriptLine;
import io.idem.internal.redis.script.ScriptPipe;
import io.idem.internal.redis.script.ScriptTransport;
import io.idem.internal.redis.script.TransitionScripts;
import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.redis.UnsuitableRedisException;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.InOrder;
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
 * travel in one flush, with at most {@value ScriptPipe#MOST_RECORDS} records per script call; long results are sent
 * in calls of {@value ScriptPipe#MOST_TOGETHER} bytes, one after the other if there are many.
 */
public final class RedisIdempotencyStore implements IdempotencyStore {

    /** So many keys are most probably on all masters of a cluster. */
    private static final int MOST_TRIALS = 64;

    /**
     * The size in bytes from which a result is written by itself: a call with many such results would keep Redis from
     * other work, and all of them would fail together.
     */
    private static final int LONG_RESULT = 4 * 1024;

    private final RedisSettings settings;
    private final RedisCaller redis;
    private final Keys keys;
    private final RecordReader reader;
    private final ScriptTransport transport;
    private final ScriptPipe scripts;
    private final RequestCoalescer<AcquireRequest, Claim> acquires = new RequestCoalescer<>(this::acquireEach);
    private final RequestCoalescer<RecordUpdate, StoreAnswer> updates = new RequestCoalescer<>(this::updateEach);

    /** Creates a store, which does not connect yet. */
    public RedisIdempotencyStore(RedisSettings settings) {
        this.settings = settings;
        this.redis = new RedisCaller(settings);
        this.keys = new Keys(settings.namespace());
        this.reader = new RecordReader(redis, keys);
        boolean replicated = settings.replication().isOn();
        boolean spread = settings.topology() instanceof RedisTopology.Cluster;
        PlainScripts plain = new PlainScripts(redis, keys);
        this.transport = replicated ? new ReplicatedScripts(plain, settings) : plain;
        this.scripts = new ScriptPipe(transport, replicated || spread ? 1 : ScriptPipe.MOST_RECORDS);
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
        List<AcquireRequest> trials = redis.call(
                "INFO",
                live -> redis.connection()
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
        return redis.connection().evictedKeys();
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return requests.size() == 1
                ? List.of(acquires.send(requests.get(0)))
                : InOrder.send(requests, AcquireRequest::record, this::acquireEach);
    }

    private List<CompletionStage<Claim>> acquireEach(List<AcquireRequest> requests) {
        Optional<UnsuitableRedisException> refusal = redis.connection().refusal();
        return refusal.isEmpty() ? scripts.send(requests, this::acquiring) : withoutGrants(requests, refusal.get());
    }

    private List<CompletionStage<Claim>> withoutGrants(List<AcquireRequest> requests, UnsuitableRedisException why) {
        return requests.stream()
                .<CompletionStage<Claim>>map(request -> reader.answerWithoutWriting(
                        request, RedisFailures.unsuitable("ACQUIRE of " + request.record(), why)))
                .toList();
    }

    /**
     * Returns the line of an acquire. A Redis that refuses writes, because it is out of memory or has no disk, still
     * reads, so duplicates get their answers.
     */
    private ScriptLine<Claim> acquiring(AcquireRequest request) {
        return TransitionScripts.acquire(request)
                .otherwise(failure ->
                        failure instanceof StoreUnavailableException unavailable && RedisFailures.ofWrites(unavailable)
                                ? reader.answerWithoutWriting(request, unavailable)
                                : Stages.failed(failure));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> requests) {
        return requests.size() == 1 && !isLong(requests.get(0))
                ? List.of(updates.send(requests.get(0)))
                : InOrder.send(requests, request -> request.lease().record(), this::updateEach);
    }

    private List<CompletionStage<StoreAnswer>> updateEach(List<RecordUpdate> requests) {
        return scripts.send(requests, TransitionScripts::update);
    }

    private static boolean isLong(RecordUpdate request) {
        if (request instanceof RecordUpdate.Remember remember) {
            return remember.step().result().size() > LONG_RESULT;
        }
        return request instanceof RecordUpdate.Complete complete
                && complete.result().size() > LONG_RESULT;
    }

    /** Returns an empty value: this store never blocks its caller. */
    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.empty();
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return sent(TransitionScripts.reopen(record, expectedFence, retention));
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return sent(TransitionScripts.force(record, expectedFence, end, retention));
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return sent(TransitionScripts.erase(record));
    }

    private StoreAnswer sent(ScriptLine<StoreAnswer> line) {
        return redis.await(scripts.send(List.of(line), asked -> asked).get(0));
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return reader.read(record);
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
                live -> live.async().sadd(keys.scopes(), scope.name().getBytes(StandardCharsets.US_ASCII)));
    }

    /** Closes the connection and ends the client's threads. */
    @Override
    public void close() {
        transport.close();
    }
}
