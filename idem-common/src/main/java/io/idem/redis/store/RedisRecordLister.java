package io.idem.redis.store;

import static io.idem.internal.value.Arguments.require;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.UnreadableRecordException;
import io.idem.internal.redis.client.ClusterScan;
import io.idem.internal.redis.client.RedisCaller;
import io.idem.internal.redis.client.ScanPart;
import io.idem.internal.redis.script.PackedRecord;
import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.spi.RecordLister;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScanArgs;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lists the records of a Redis server, or of the masters of a cluster one after the other, by {@code SCAN} and
 * {@code MGET}. Uses a connection of its own, so that the engine's commands never wait behind it.
 */
public final class RedisRecordLister implements RecordLister {

    private static final Pattern CURSOR = Pattern.compile("\\d{1,20}");

    /** A placeholder in error messages, because listed records have a digest instead of a key. */
    private static final IdempotencyKey LISTED = IdempotencyKey.of("listed");

    private final RedisCaller redis;
    private final String prefix;
    private final Pattern name;
    private final boolean spread;

    /** Creates a lister, which does not connect yet. */
    public RedisRecordLister(RedisSettings settings) {
        this.spread = settings.topology() instanceof RedisTopology.Cluster;
        this.redis = new RedisCaller(settings);
        this.prefix = settings.namespace() + ":{";
        this.name = Pattern.compile(Pattern.quote(prefix) + "([\\w-]{22})}:(" + Scope.SYNTAX + ")");
    }

    @Override
    public Page list(String cursor, int most) {
        require(
                spread
                        ? ClusterScan.understands(cursor)
                        : CURSOR.matcher(cursor).matches(),
                "\"" + cursor + "\" is not a cursor");
        ScanArgs args = ScanArgs.Builder.limit(most).match(prefix + "*");
        ScanPart found = redis.call("SCAN of the records", live -> live.scan(cursor, args));
        return new Page(read(found.keys()), found.next());
    }

    private List<Listed> read(List<byte[]> names) {
        if (names.isEmpty()) {
            return List.of();
        }
        List<KeyValue<byte[], byte[]>> values =
                redis.call("MGET of records", live -> live.async().mget(names.toArray(byte[][]::new)));
        return values.stream()
                .filter(KeyValue::hasValue)
                .flatMap(value -> listed(value).stream())
                .toList();
    }

    /** Decodes a record; empty if the value is not a record of this format. */
    private Optional<Listed> listed(KeyValue<byte[], byte[]> value) {
        Matcher matcher = name.matcher(new String(value.getKey(), StandardCharsets.US_ASCII));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        RecordId id = new RecordId(LISTED, new Scope(matcher.group(2)));
        try {
            return Optional.of(new Listed(matcher.group(1), PackedRecord.decode(id, value.getValue())));
        } catch (UnreadableRecordException foreign) {
            return Optional.empty();
        }
    }

    /** Closes the connection and ends the client's threads. */
    @Override
    public void close() {
        redis.close();
    }
}
