package io.idem.redis.store;

import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.internal.redis.client.RedisCaller;
import io.idem.internal.redis.script.Keys;
import io.idem.internal.redis.script.PackedRecord;
import io.idem.redis.RedisSettings;
import io.idem.spi.RecordRestorer;
import io.lettuce.core.SetArgs;
import java.util.List;

/** Restores records in Redis, each by one {@code SET … NX}. Thread-safe; blocks. */
public final class RedisRecordRestorer implements RecordRestorer {

    private final RedisCaller redis;
    private final Keys keys;

    /** Creates a restorer, which does not connect yet. */
    public RedisRecordRestorer(RedisSettings settings) {
        this.redis = new RedisCaller(settings);
        this.keys = new Keys(settings.namespace());
    }

    @Override
    public int restore(List<Lost> records) {
        return Math.toIntExact(records.stream().filter(this::restore).count());
    }

    private boolean restore(Lost lost) {
        RecordSnapshot completed = new RecordSnapshot(
                lost.scope(),
                RecordState.COMPLETED,
                1,
                lost.fence(),
                lost.fingerprint(),
                lost.settledAt(),
                lost.result(),
                "");
        SetArgs ifAbsent = SetArgs.Builder.nx().px(Math.max(1, lost.retention().toMillis()));
        String answer = redis.call(
                "SET of " + lost.scope() + "/" + lost.keyId(),
                live -> live.async()
                        .set(keys.of(lost.keyId(), lost.scope()), PackedRecord.encode(completed), ifAbsent));
        return answer != null;
    }

    /** Closes the connection and ends the client's threads. */
    @Override
    public void close() {
        redis.close();
    }
}
