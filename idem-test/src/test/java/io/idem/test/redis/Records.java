package io.idem.test.redis;

import io.idem.RecordId;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The records in one server or in all masters of a cluster, past the store. */
record Records(RedisClusterCommands<byte[], byte[]> redis) {

    private static final byte[] ALL = bytes("idem:{*");
    private static final int AT = 10;
    private static final int END_IN_STEPS = 8;
    private static final int AT_BITS = 48;

    /** Lets time pass: rewrites the moment that each of them holds, and its expiry. */
    void advance(Duration by) {
        keys().forEach(key -> age(key, by.toMillis()));
    }

    private List<byte[]> keys() {
        List<byte[]> keys = new ArrayList<>();
        KeyScanCursor<byte[]> page = redis.scan(ScanArgs.Builder.matches(ALL));
        keys.addAll(page.getKeys());
        while (!page.isFinished()) {
            page = redis.scan(page, ScanArgs.Builder.matches(ALL));
            keys.addAll(page.getKeys());
        }
        return keys;
    }

    private void age(byte[] key, long millis) {
        byte[] record = redis.get(key);
        long left = redis.pttl(key) - millis;
        if (record == null || left <= 0) {
            redis.del(key);
            return;
        }
        boolean steps = new String(key, StandardCharsets.US_ASCII).endsWith("/steps");
        setBack(record, steps ? END_IN_STEPS : AT, millis);
        redis.psetex(key, left, record);
    }

    private static void setBack(byte[] record, int offset, long millis) {
        if (record.length < offset + AT_BITS / Byte.SIZE) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(record);
        long fenceEndAndAt = bytes.getLong(offset - Short.BYTES);
        long at = fenceEndAndAt & ((1L << AT_BITS) - 1);
        bytes.putLong(offset - Short.BYTES, fenceEndAndAt - at + Math.max(0, at - millis));
    }

    /** Some of them as they are stored, in one call per slot. */
    List<String> stored(List<RecordId> records) {
        byte[][] keys = records.stream()
                .map(record -> bytes("idem:{" + record.key().id() + "}:" + record.scope()))
                .toArray(byte[][]::new);
        return redis.mget(keys).stream()
                .map(found -> HexFormat.of().formatHex(found.getValueOrElse(new byte[0])))
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
