package io.idem.test.redis;

import io.idem.RecordId;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.spi.IdempotencyStore;
import io.idem.test.contract.StoreHarness;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis of one test class's own. Lets time pass by rewriting, in every record, the moment it holds and its expiry. Closing
 * empties it; {@link #stop()} ends it.
 */
public final class RedisStoreHarness implements StoreHarness {

    private static final byte[] RECORDS = bytes("idem:{*");

    /** The moment is in bytes 11 to 16 of a record. */
    private static final String AGE = """
            local by, record, left = tonumber(ARGV[1]), redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])
            if not record or left <= by then
              redis.call('DEL', KEYS[1])
              return redis.status_reply('GONE')
            end
            local offset = string.sub(KEYS[1], -6) == '/steps' and 9 or 11
            if #record < offset + 6 then
              return redis.status_reply('EMPTY')
            end
            local at = math.max(0, struct.unpack('>I6', record, offset) - by)
            local aged = string.sub(record, 1, offset - 1) .. struct.pack('>I6', at) .. string.sub(record, offset + 6)
            redis.call('SET', KEYS[1], aged, 'PX', left - by)
            return redis.status_reply('AGED')
            """;

    private final RunningRedis server;
    private final IdempotencyStore store;
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;

    /** Starts a Redis. */
    public RedisStoreHarness() {
        this(server -> new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(server.uri()))));
    }

    /** Starts a Redis that is used in a way of the test's choice. */
    public RedisStoreHarness(Function<RunningRedis, IdempotencyStore> way) {
        this(RedisServers.start(ServerOptions.own()), way);
    }

    /** Uses a Redis that no other test uses meanwhile; {@link #stop()} ends it. */
    public RedisStoreHarness(RunningRedis server, Function<RunningRedis, IdempotencyStore> way) {
        this.server = server;
        store = way.apply(server);
        client = RedisClient.create(server.uri());
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    @Override
    public IdempotencyStore store() {
        return store;
    }

    /** The server, to be broken. */
    public RunningRedis server() {
        return server;
    }

    @Override
    public void advance(Duration by) {
        records().forEach(key -> age(key, by.toMillis()));
    }

    private List<byte[]> records() {
        List<byte[]> keys = new ArrayList<>();
        KeyScanCursor<byte[]> page = redis().scan(ScanArgs.Builder.matches(RECORDS));
        keys.addAll(page.getKeys());
        while (!page.isFinished()) {
            page = redis().scan(page, ScanArgs.Builder.matches(RECORDS));
            keys.addAll(page.getKeys());
        }
        return keys;
    }

    private void age(byte[] key, long millis) {
        redis().eval(AGE, ScriptOutputType.STATUS, new byte[][] {key}, bytes(Long.toString(millis)));
    }

    @Override
    public String stored(RecordId record) {
        return stored(List.of(record)).get(0);
    }

    /** Several records and their steps as they are stored, in one call. */
    public List<String> stored(List<RecordId> records) {
        byte[][] keys = records.stream()
                .map(record -> "idem:{" + record.key().id() + "}:" + record.scope())
                .flatMap(name -> Stream.of(bytes(name), bytes(name + "/steps")))
                .toArray(byte[][]::new);
        List<String> found = redis().mget(keys).stream()
                .map(value -> HexFormat.of().formatHex(value.getValueOrElse(new byte[0])))
                .toList();
        return IntStream.range(0, records.size())
                .mapToObj(i -> found.get(2 * i) + " " + found.get(2 * i + 1))
                .toList();
    }

    /** Commands past the store. */
    public RedisCommands<byte[], byte[]> redis() {
        return connection.sync();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Empties Redis for the next test. */
    @Override
    public void close() {
        redis().flushall();
    }

    /** Ends Redis and its clients. */
    public void stop() {
        disconnect();
        server.close();
    }

    /** Ends the clients of Redis, which goes on. */
    public void disconnect() {
        store.close();
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
