package io.idem.model.trace;

import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.spi.IdempotencyStore;
import io.idem.workshop.simulation.kernel.TraceEvent;
import io.lettuce.core.KillArgs;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A Redis whose scripts log their transitions in its own order, and which kills its clients' connections again and again. */
final class LoggedRedis implements AutoCloseable {

    private static final long BETWEEN_MILLIS = 200;
    private static final double MICROS_PER_MILLI = 1_000;

    /** The states by the first byte of a record. */
    private static final Map<Integer, String> STATES =
            Map.of(0x11, "PENDING", 0x12, "COMPLETED", 0x13, "FAILED", 0x14, "REJECTED");

    private final RunningRedis server;
    private final UnaryOperator<String> mistake;
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong killed = new AtomicLong();

    private LoggedRedis(RunningRedis server, UnaryOperator<String> mistake) {
        this.mistake = mistake;
        this.server = server;
        this.client = RedisClient.create(server.uri());
        this.connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    /** @param mistake changes the text of each script; the identity for those of the library */
    static LoggedRedis start(UnaryOperator<String> mistake) {
        LoggedRedis redis = new LoggedRedis(RedisServers.start(ServerOptions.own()), mistake);
        var unused =
                redis.killer.scheduleWithFixedDelay(redis::kill, BETWEEN_MILLIS, BETWEEN_MILLIS, TimeUnit.MILLISECONDS);
        return redis;
    }

    private void kill() {
        killed.addAndGet(
                connection.sync().clientKill(KillArgs.Builder.typeNormal().skipme()));
    }

    long killed() {
        return killed.get();
    }

    IdempotencyStore store() {
        return LoggingScripts.store(server.uri(), mistake);
    }

    List<TraceEvent> events() {
        byte[] stream = LoggingScripts.STREAM.getBytes(StandardCharsets.UTF_8);
        return connection.sync().xrange(stream, Range.unbounded()).stream()
                .map(message -> event(message.getBody().entrySet().stream()
                        .collect(Collectors.toMap(
                                field -> new String(field.getKey(), StandardCharsets.UTF_8), Map.Entry::getValue))))
                .toList();
    }

    private static TraceEvent event(Map<String, byte[]> fields) {
        long micros = Long.parseLong(text(fields, "now"));
        Stored before = Stored.of(bytes(fields, "before"));
        Stored after = Stored.of(bytes(fields, "after"));
        String answer = text(fields, "answer").replace("_", "");
        return new TraceEvent(
                micros / MICROS_PER_MILLI,
                text(fields, "key"),
                text(fields, "step").toUpperCase(Locale.ROOT),
                HexFormat.of().formatHex(bytes(fields, "owner")),
                Long.parseLong(text(fields, "fence")),
                answer.equals("SETTLED") ? "ALREADYSETTLED" : answer,
                before.fence > 0 && before.at <= TimeUnit.MICROSECONDS.toMillis(micros),
                after.state,
                after.fence,
                after.attempts);
    }

    private static String text(Map<String, byte[]> fields, String name) {
        return new String(bytes(fields, name), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Map<String, byte[]> fields, String name) {
        return Objects.requireNonNull(fields.get(name), name);
    }

    @Override
    public void close() {
        killer.shutdownNow();
        connection.close();
        client.shutdown();
        server.stop();
    }

    /** The first sixteen bytes of a record, decoded. */
    private record Stored(String state, int attempts, long fence, long at) {

        private static final int FENCE = 3;
        private static final int FENCE_SIZE = 7;
        private static final int AT = 10;
        private static final int AT_SIZE = 6;

        static Stored of(byte[] record) {
            return record.length == 0
                    ? new Stored("ABSENT", 0, 0, 0)
                    : new Stored(
                            STATES.getOrDefault((int) record[0], "unknown"),
                            (int) number(record, 1, 2),
                            number(record, FENCE, FENCE_SIZE),
                            number(record, AT, AT_SIZE));
        }

        private static long number(byte[] record, int from, int size) {
            byte[] wide = new byte[Long.BYTES];
            System.arraycopy(record, from, wide, Long.BYTES - size, size);
            return ByteBuffer.wrap(wide).getLong();
        }
    }
}
