package io.idem.workshop.outside;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/** Reads and plants records as docs/storage-format.md describes them, by GET and SET, without any code of idem. */
public final class RecordProbe implements AutoCloseable {

    private static final int KEY_ID_BYTES = 16;
    private static final Duration KEPT = Duration.ofMinutes(10);

    private final RedisClient client;
    private final RedisCommands<byte[], byte[]> redis;

    /** Connects. */
    public RecordProbe(String redisUri) {
        client = RedisClient.create(RedisURI.create(redisUri));
        redis = client.connect(ByteArrayCodec.INSTANCE).sync();
    }

    /** The bytes of a record. */
    public Optional<RawRecord> read(String tenant, String key, String scope) {
        return Optional.ofNullable(redis.get(name(tenant, key, scope))).map(RawRecord::new);
    }

    /** Puts anything under a record's name. */
    public void plant(String tenant, String key, String scope, byte[] value) {
        redis.set(name(tenant, key, scope), value, SetArgs.Builder.px(KEPT.toMillis()));
    }

    /** Puts a list there, which no record is. */
    public void plantList(String tenant, String key, String scope) {
        redis.rpush(name(tenant, key, scope), "somebody else's".getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the value under the name of a record, of any type, in the form of DUMP. */
    public byte[] dump(String tenant, String key, String scope) {
        return redis.dump(name(tenant, key, scope));
    }

    /** Takes whatever is there away. */
    public void remove(String tenant, String key, String scope) {
        redis.del(name(tenant, key, scope));
    }

    /** Plants a lease of a worker elsewhere that lasts this long from now, by the clock of Redis. */
    public void plantLease(String tenant, String key, String scope, Duration lease) {
        plant(tenant, key, scope, RawRecord.pending(now(), now() + lease.toMillis()));
    }

    /** The clock of Redis in milliseconds. */
    public long now() {
        var time = redis.time();
        long seconds = Long.parseLong(new String(time.get(0), StandardCharsets.US_ASCII));
        long micros = Long.parseLong(new String(time.get(1), StandardCharsets.US_ASCII));
        return seconds * 1000 + micros / 1000;
    }

    private static byte[] name(String tenant, String key, String scope) {
        return ("idem:{" + keyId(tenant, key) + "}:" + scope).getBytes(StandardCharsets.US_ASCII);
    }

    /** 22 characters of base64url, as the storage format has it. */
    public static String keyId(String tenant, String key) {
        byte[] tenantBytes = tenant.getBytes(StandardCharsets.UTF_8);
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        ByteBuffer text = ByteBuffer.allocate(Integer.BYTES + tenantBytes.length + keyBytes.length);
        text.putInt(tenantBytes.length).put(tenantBytes).put(keyBytes);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.array());
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, KEY_ID_BYTES));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
