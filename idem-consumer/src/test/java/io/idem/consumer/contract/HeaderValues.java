package io.idem.consumer.contract;

import io.idem.IdempotencyKey;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Values of all kinds that a foreign producer may put where a key belongs, drawn from a seed. */
public final class HeaderValues {

    /** Repeats a run: {@code -Didem.header.seed=…}. */
    public static final long SEED = Long.getLong("idem.header.seed", 20261121L);

    private final Random random;

    /** Prints the seed. */
    public HeaderValues(long seed) {
        random = new Random(seed);
        System.out.println("Header values are drawn from idem.header.seed=" + seed);
    }

    /** Bytes: text in UTF-8 or Latin-1, numbers of a fixed width, rubbish. */
    public byte[] bytes() {
        return switch (random.nextInt(6)) {
            case 0 -> text().getBytes(StandardCharsets.UTF_8);
            case 1 -> text().getBytes(StandardCharsets.ISO_8859_1);
            case 2 -> text().getBytes(StandardCharsets.UTF_16BE);
            case 3 -> ByteBuffer.allocate(Long.BYTES).putLong(random.nextLong()).array();
            case 4 -> new byte[0];
            default -> rubbish();
        };
    }

    /** Anything that a header table of AMQP 0-9-1 can hold. */
    public Object value() {
        return switch (random.nextInt(10)) {
            case 0 -> bytes();
            case 1 -> random.nextInt(50);
            case 2 -> random.nextLong();
            case 3 -> random.nextBoolean();
            case 4 -> random.nextDouble();
            case 5 -> Date.from(Instant.ofEpochSecond(random.nextInt(1_000_000)));
            case 6 -> List.of(text());
            case 7 -> Map.of("key", text());
            case 8 -> BigDecimal.valueOf(random.nextInt(100), 2);
            default -> text();
        };
    }

    private String text() {
        int length = random.nextInt(10) == 0 ? 1000 + random.nextInt(50) : random.nextInt(5);
        return random.ints(length, 0, ALPHABET.length())
                .mapToObj(ALPHABET::charAt)
                .collect(StringBuilder::new, StringBuilder::append, StringBuilder::append)
                .toString();
    }

    private static final String ALPHABET = "ab01 -äöü߀\u0007\n\uFFFD";

    private byte[] rubbish() {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The one key that a value may be read as; empty where it must be refused. Says so in its own way, not in idem's. */
    public static Optional<String> key(Object value) {
        return plain(value).filter(HeaderValues::isKey);
    }

    private static Optional<String> plain(Object value) {
        if (value instanceof byte[] bytes) {
            return utf8(bytes);
        }
        return value instanceof String || value instanceof Integer || value instanceof Long
                ? Optional.of(value.toString())
                : Optional.empty();
    }

    private static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException malformed) {
            return Optional.empty();
        }
    }

    private static boolean isKey(String text) {
        boolean sound = text.codePoints().noneMatch(c -> c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffd);
        boolean visible = text.codePoints().anyMatch(c -> !Character.isWhitespace(c));
        return sound && visible && text.length() <= IdempotencyKey.MAX_LENGTH;
    }
}
