package io.idem.autoconfigure;

import io.idem.internal.result.ConfiguredKeys;
import io.idem.internal.spring.InvalidSettingException;
import io.idem.result.ResultKey;
import io.idem.result.ResultLimits;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings under {@code idem.result}, checked against each other when they are bound.
 *
 * @param codec name of the codec that writes results: json (Jackson 3), raw, or that of a ResultCodec bean; results of the others
 *     stay readable; default the application's own codec if it has one, else the first of json, raw whose library is there
 * @param maxSize largest result that is kept, before compression; in ZooKeeper 512KB where results are not offloaded; without a
 *     ResultLimits bean, work with a larger one counts as done, and duplicates are answered without it
 * @param compressAbove results above this size are compressed; max-size or more never compresses
 * @param encryption how results are encrypted
 * @param offload where large results are kept
 */
@ConfigurationProperties("idem.result")
record IdemResultProperties(
        @Nullable String codec,
        @DefaultValue("1MB") DataSize maxSize,
        @DefaultValue("8KB") DataSize compressAbove,
        @DefaultValue Encryption encryption,
        @DefaultValue Offload offload) {

    IdemResultProperties {
        bytes("idem.result.max-size", maxSize, 1);
        bytes("idem.result.compress-above", compressAbove, 0);
        bytes("idem.result.offload.above", offload.above(), 0);
        if (encryption.key() != null || !encryption.keys().isEmpty()) {
            var unused = encryption.toKeys();
        }
    }

    ResultLimits limits() {
        return new ResultLimits(
                Math.toIntExact(maxSize.toBytes()),
                ResultLimits.TooLarge.OMIT,
                Math.toIntExact(compressAbove.toBytes()));
    }

    private static void bytes(String property, DataSize size, int least) {
        if (size.toBytes() < least || size.toBytes() > Integer.MAX_VALUE / 2) {
            throw new InvalidSettingException(property, size + " is not between " + least + " byte and 1 GB");
        }
    }

    /**
     * The settings under {@code idem.result.encryption}.
     *
     * @param key name of the key that encrypts new results; none, the default, leaves them plain
     * @param keys 32 bytes in Base64 each, by name; keep a key until the retention of what it encrypted has passed
     * @param acceptPlain whether results that are not encrypted are replayed too: only for one retention after encryption was switched on,
     *     since whoever can write to the store can forge such a result
     */
    record Encryption(
            @Nullable String key,
            @DefaultValue Map<String, String> keys,
            @DefaultValue("false") boolean acceptPlain) {

        ConfiguredKeys toKeys() {
            List<ResultKey> all = keys.entrySet().stream()
                    .map(entry -> key(entry.getKey(), entry.getValue()))
                    .toList();
            return InvalidSettingException.named(
                    "idem.result.encryption.", () -> new ConfiguredKeys(all, String.valueOf(key)));
        }

        private static ResultKey key(String id, String base64) {
            try {
                return ResultKey.of(id, Base64.getDecoder().decode(base64.strip()));
            } catch (IllegalArgumentException invalid) {
                throw new InvalidSettingException(
                        "idem.result.encryption.keys." + id, "is not 32 bytes in Base64 under a printable name");
            }
        }

        /** Returns a text without the keys. */
        @Override
        public String toString() {
            return "Encryption[key=" + key + ", keys=" + keys.keySet() + ", acceptPlain=" + acceptPlain + "]";
        }
    }

    /**
     * The settings under {@code idem.result.offload}.
     *
     * @param above results above this size, compressed and encrypted, are offloaded if there is somewhere to put them
     * @param grace how long an offloaded result outlives the retention of its record
     */
    record Offload(
            @DefaultValue("64KB") DataSize above,
            @DefaultValue("1d") Duration grace) {

        Offload {
            if (grace.isNegative()) {
                throw new InvalidSettingException("idem.result.offload.grace", grace + " is negative");
            }
        }

        /** Returns the size in bytes, which must be below that of the largest result that is kept. */
        int above(ResultLimits limits) {
            if (above.toBytes() >= limits.maxSize()) {
                throw new InvalidSettingException(
                        "idem.result.offload.above",
                        above + " is not below idem.result.max-size " + DataSize.ofBytes(limits.maxSize())
                                + ": nothing would ever be offloaded");
            }
            return Math.toIntExact(above.toBytes());
        }
    }
}
