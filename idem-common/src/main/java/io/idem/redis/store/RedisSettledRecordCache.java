package io.idem.redis.store;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.internal.redis.client.RedisCaller;
import io.idem.internal.redis.client.RedisFailures;
import io.idem.internal.redis.script.Keys;
import io.idem.internal.redis.script.PackedRecord;
import io.idem.redis.RedisSettings;
import io.idem.spi.SettledRecordCache;
import io.lettuce.core.KeyValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of settled records in Redis, in front of another store. They have the form of records under names of their
 * own: {@code idem:front:{<key id>}:<scope>} for a copy, and {@code idem:reopened:{<key id>}:<scope>} for the fence up
 * to which copies do not count. Both expire. Thread-safe.
 */
public final class RedisSettledRecordCache implements SettledRecordCache {

    private static final Logger LOG = LoggerFactory.getLogger(RedisSettledRecordCache.class);
    private static final long MOMENT = Duration.ofSeconds(1).toNanos();

    private final RedisCaller redis;
    private final Keys keys;
    private volatile long silentSince = System.nanoTime() - MOMENT;

    /** Creates a cache, which does not connect yet. */
    public RedisSettledRecordCache(RedisSettings settings) {
        this.redis = new RedisCaller(settings);
        this.keys = new Keys(settings.namespace());
    }

    @Override
    public Optional<RecordSnapshot> find(RecordId record) {
        if (isSilent()) {
            return Optional.empty();
        }
        try {
            return counted(
                    record,
                    redis.call(
                            "MGET of " + record, live -> live.async().mget(keys.front(record), keys.reopened(record))));
        } catch (StoreUnavailableException away) {
            silentSince = System.nanoTime();
            LOG.warn("Redis does not answer, the store is asked instead: {}", away.getMessage());
            return Optional.empty();
        }
    }

    /** Returns whether Redis must not be asked, or did not answer a moment ago, so that no caller waits for it again. */
    private boolean isSilent() {
        return redis.connection().refusal().isPresent() || System.nanoTime() - silentSince < MOMENT;
    }

    private static Optional<RecordSnapshot> counted(RecordId record, List<KeyValue<byte[], byte[]>> found) {
        byte[] copy = found.get(0).getValueOrElse(new byte[0]);
        if (copy.length == 0) {
            return Optional.empty();
        }
        try {
            RecordSnapshot settled = PackedRecord.decode(record, copy);
            long withdrawn = found.get(1).map(RedisSettledRecordCache::number).getValueOrElse(-1L);
            return settled.fence() > withdrawn ? Optional.of(settled) : Optional.empty();
        } catch (UnreadableRecordException | NumberFormatException foreign) {
            LOG.warn("The copy of {} in Redis is not one of idem's, the store is asked instead", record);
            return Optional.empty();
        }
    }

    @Override
    public void offer(RecordId record, RecordSnapshot settled, Duration atMost) {
        if (isSilent()) {
            return;
        }
        try {
            String unused = redis.call(
                    "SET of " + record,
                    live -> live.async().psetex(keys.front(record), atMost.toMillis(), PackedRecord.encode(settled)));
        } catch (StoreUnavailableException away) {
            // A Redis that refuses the write, such as one without memory, still answers from the copies that it has.
            if (RedisFailures.answerOf(away).isEmpty()) {
                silentSince = System.nanoTime();
            }
            LOG.debug("No copy of {} was left in Redis", record, away);
        }
    }

    @Override
    public void withdraw(RecordId record, long fence, Duration remembered) {
        String unused = redis.call(
                "SET of the withdrawal of " + record,
                live -> live.async()
                        .psetex(
                                keys.reopened(record),
                                remembered.toMillis(),
                                Long.toString(fence).getBytes(StandardCharsets.US_ASCII)));
        Long unusedCount = redis.call("DEL of " + record, live -> live.async().del(keys.front(record)));
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }

    /** Closes the connection and ends the client's threads. */
    @Override
    public void close() {
        redis.close();
    }
}
