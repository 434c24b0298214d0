package io.idem.redis;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Lease;
import io.idem.spi.RecordId;
import io.idem.spi.RecordSnapshot;
import io.idem.spi.Settlement;
import io.idem.spi.StoredResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Records in one Redis server of version 7.0 or newer. Connects when first used, through a client of its own, and from then on
 * whenever the server is there again; while it is not, every call fails at once. Thread-safe; all callers share one connection.
 */
public final class RedisIdempotencyStore implements IdempotencyStore {

    private final RedisCaller redis;
    private final Scripts scripts = Scripts.load();
    private final RecordReader reader;

    /** A store; does not connect yet. */
    public RedisIdempotencyStore(RedisSettings settings) {
        this.redis = new RedisCaller(new RedisConnection(settings));
        this.reader = new RecordReader(redis);
    }

    /**
     * Connects now, unless that was done before, and checks the server. Not needed: the first call does the same.
     *
     * @throws UnsuitableRedisException if the server must not be used
     * @throws StoreUnavailableException if it does not answer
     */
    public void checkServer() {
        try {
            redis.call("PING", commands -> commands.ping());
        } catch (StoreUnavailableException failed) {
            throw failed.getCause() instanceof UnsuitableRedisException unsuitable ? unsuitable : failed;
        }
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        try {
            return Replies.claim(
                    request,
                    run(
                            scripts.acquire(),
                            request.record(),
                            request.owner().toBytes(),
                            number(request.lease().toMillis()),
                            number(request.retention().toMillis()),
                            request.fingerprint().toBytes(),
                            number(request.fenceFloor()),
                            number(request.maxAttempts())));
        } catch (StoreUnavailableException refused) {
            if (!RedisFailures.outOfMemory(refused)) {
                throw refused;
            }
            return reader.answerWithoutWriting(request).orElseThrow(() -> refused);
        }
    }

    @Override
    public Settlement renew(Lease lease) {
        return settle(
                scripts.renew(),
                lease,
                StoredResult.NONE,
                number(lease.duration().toMillis()),
                number(lease.retention().toMillis()));
    }

    @Override
    public Settlement complete(Lease lease, StoredResult result) {
        return settle(
                scripts.complete(), lease, result, number(lease.retention().toMillis()), PackedRecord.encode(result));
    }

    @Override
    public Settlement fail(Lease lease, Duration delay) {
        return settle(
                scripts.fail(),
                lease,
                StoredResult.NONE,
                number(Math.max(0, delay.toMillis())),
                number(lease.retention().toMillis()));
    }

    @Override
    public Settlement reject(Lease lease, String reason) {
        return settle(
                scripts.reject(),
                lease,
                StoredResult.NONE,
                number(lease.retention().toMillis()),
                reason.getBytes(StandardCharsets.UTF_8));
    }

    private Settlement settle(Script script, Lease lease, StoredResult written, byte[] third, byte[] fourth) {
        return Replies.settlement(
                lease.record(),
                run(script, lease.record(), lease.owner().toBytes(), number(lease.fence()), third, fourth),
                written);
    }

    @Override
    public Settlement reopen(RecordId record, long expectedFence, Duration retention) {
        return Replies.settlement(
                record,
                run(scripts.reopen(), record, number(expectedFence), number(retention.toMillis())),
                StoredResult.NONE);
    }

    private ScriptReply run(Script script, RecordId record, byte[]... arguments) {
        return redis.run(script, record, arguments);
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
    public void announce(Scope scope) {
        redis.call(
                "SADD of scope " + scope,
                commands -> commands.sadd(Keys.scopes(), scope.name().getBytes(StandardCharsets.US_ASCII)));
    }

    /** Closes the connection and ends the client's threads. */
    @Override
    public void close() {
        redis.close();
    }

    private static byte[] number(long value) {
        return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    }
}
