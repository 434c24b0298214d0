package io.idem.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ResultCodecException;
import io.idem.StoredResult;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class JacksonResultCodecTest {

    private final JacksonResultCodec codec =
            new JacksonResultCodec(JsonMapper.builder().build());

    record Receipt(String id, BigDecimal amount, Instant at, List<String> lines) {}

    enum State {
        PAID
    }

    record Line(String sku, int count) {}

    @SuppressWarnings("ArrayRecordComponent") // as applications have it
    record OfJackson2(
            String id,
            BigDecimal amount,
            Instant at,
            LocalDate day,
            Duration took,
            UUID trace,
            State state,
            Optional<String> note,
            @Nullable String none,
            byte[] seal,
            List<Line> lines) {}

    @SuppressWarnings("unused")
    private static List<Receipt> receipts() {
        return List.of();
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Receipt receipt =
                new Receipt("r-1", new BigDecimal("10.50"), Instant.parse("2026-11-21T10:15:30.123Z"), List.of("a"));

        StoredResult stored = codec.encode(receipt);

        assertThat(stored.codec()).isEqualTo("json");
        assertThat(codec.decode(stored, Receipt.class)).isEqualTo(receipt);
    }

    static Stream<Object> readOnce() {
        return Stream.of(
                Stream.of("a"),
                List.of("a").iterator(),
                List.of("a").spliterator(),
                Collections.enumeration(List.of("a")),
                new ByteArrayInputStream(new byte[] {1}),
                new StringReader("a"));
    }

    @ParameterizedTest
    @MethodSource("readOnce")
    void aValueThatCanBeReadOnceIsLeftToItsCaller(Object value) {
        assertThatThrownBy(() -> codec.encode(value))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContaining("can be read once");
        if (value instanceof Stream<?> stream) {
            assertThat(stream.toList()).isEqualTo(List.of("a"));
        }
        if (value instanceof Iterator<?> items) {
            assertThat(items.hasNext()).isTrue();
        }
    }

    @Test
    void aValueOfWhichOnlyDerivedPropertiesAreWrittenIsNotReadAsAnother() {
        BitSet bits = new BitSet();
        assertThat(codec.decode(codec.encode(bits), BitSet.class)).isEqualTo(bits);
        bits.set(3);
        StoredResult stored = codec.encode(bits);

        assertThatThrownBy(() -> codec.decode(stored, BitSet.class))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContaining("empty: false became true");
    }

    @Test
    void genericTypesKeepTheirElements() throws Exception {
        Type type = JacksonResultCodecTest.class.getDeclaredMethod("receipts").getGenericReturnType();
        List<Receipt> receipts = List.of(new Receipt("r-1", BigDecimal.ONE, Instant.EPOCH, List.of()));

        assertThat(codec.decode(codec.encode(receipts), type)).isEqualTo(receipts);
    }

    /** The bytes are those of Jackson 2.21, once with its own form of times and once with that of Spring Boot. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"at\":1795256130.123000000,\"day\":[2026,11,21],\"took\":1.500000000",
                "\"at\":\"2026-11-21T10:15:30.123Z\",\"day\":\"2026-11-21\",\"took\":\"PT1.5S\""
            })
    void whatJackson2StoredIsRead(String times) {
        String stored = "{\"id\":\"r-1\",\"amount\":10.50," + times
                + ",\"trace\":\"00000000-0000-0001-0000-000000000002\",\"state\":\"PAID\",\"note\":\"n\",\"none\":null,\"seal\":\"Af8=\""
                + ",\"lines\":[{\"sku\":\"a\",\"count\":2}]}";

        Object read =
                codec.decode(StoredResult.of("jackson2", stored.getBytes(StandardCharsets.UTF_8)), OfJackson2.class);

        assertThat(read)
                .usingRecursiveComparison()
                .isEqualTo(new OfJackson2(
                        "r-1",
                        new BigDecimal("10.50"),
                        Instant.parse("2026-11-21T10:15:30.123Z"),
                        LocalDate.parse("2026-11-21"),
                        Duration.ofMillis(1500),
                        new UUID(1, 2),
                        State.PAID,
                        Optional.of("n"),
                        null,
                        new byte[] {1, -1},
                        List.of(new Line("a", 2))));
    }

    @Test
    void nothingIsStoredAsNoneAndReadAsNothing() {
        assertThat(codec.encode(null)).isEqualTo(StoredResult.NONE);
        assertThat(codec.decode(StoredResult.NONE, Receipt.class)).isNull();
        assertThat(codec.decode(codec.encode("ignored"), void.class)).isNull();
    }

    @Test
    void aValueThatCannotBeWrittenIsNamedByItsType() {
        List<Object> endless = new ArrayList<>();
        endless.add(endless);

        assertThatThrownBy(() -> codec.encode(endless))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContaining(ArrayList.class.getName());
    }

    @Test
    void aResultOfAnotherShapeIsRefused() {
        StoredResult text = codec.encode("text");

        assertThatThrownBy(() -> codec.decode(text, Receipt.class))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContaining(Receipt.class.getName());
    }

    @Test
    void aResultOfAnotherCodecIsRefused() {
        StoredResult foreign = StoredResult.of("avro", "x".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> codec.decode(foreign, Receipt.class))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContaining("avro");
    }
}
