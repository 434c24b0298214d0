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

/** Reads and writes records with GET and SET as docs/storage-format.md describes them, without any code of idem. */
public final class RecordProbe implements AutoCloseable {

    private static final int KEY_ID_BYTES = 16;
    private static final Duration KEPT = Duration.ofMinutes(10);

    private final RedisClient client;
    private final RedisCommands<byte[], byte[]> redis;

    public RecordProbe(String redisUri) {
        client = RedisClient.create(RedisURI.create(redisUri));
        redis = client.connect(ByteArrayCodec.INSTANCE).sync();
    }

    /** Returns the bytes of a record. */
    public Optional<RawRecord> read(String tenant, String key, String scope) {
        return Optional.ofNullable(redis.get(name(tenant, key, scope))).map(RawRecord::new);
    }

    /** Stores a value under the name of a record. */
    public void plant(String tenant, String key, String scope, byte[] value) {
        redis.set(name(tenant, key, scope), value, SetArgs.Builder.px(KEPT.toMillis()));
    }

    /** Stores a list, which is no record, under the name of a record. */
    public void plantList(String tenant, String key, String scope) {
        redis.rpush(name(tenant, key, scope), "somebody else's".getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the value under the name of a record, of any type, in the form of DUMP. */
    public byte[] dump(String tenant, String key, String scope) {
        return redis.dump(name(tenant, key, scope));
    }

    /** Removes the value under the name of a record. */
    public void remove(String tenant, String key, String scope) {
        redis.del(name(tenant, key, scope));
    }

    /** Stores a lease of a worker elsewhere that ends after this time, by the clock of Redis. */
    public void plantLease(String tenant, String key, String scope, Duration lease) {
        plant(tenant, key, scope, RawRecord.pending(now(), now() + lease.toMillis()));
    }

    /** Returns the clock of Redis in milliseconds. */
    public long now() {
        var time = redis.time();
        long seconds = Long.parseLong(new String(time.get(0), StandardCharsets.US_ASCII));
        long micros = Long.parseLong(new String(time.get(1), StandardCharsets.US_ASCII));
        return seconds * 1000 + micros / 1000;
    }

    private static byte[] name(String tenant, String key, String scope) {
        return ("idem:{" + keyId(tenant, key) + "}:" + scope).getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the hashed key: 22 characters of base64url, as the storage format defines it. */
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
