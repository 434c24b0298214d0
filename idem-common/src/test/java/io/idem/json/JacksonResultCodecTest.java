package io.idem.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ResultCodecException;
import io.idem.StoredResult;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class JacksonResultCodecTest {

    private final JacksonResultCodec codec =
            new JacksonResultCodec(JsonMapper.builder().build());

    record Receipt(String id, BigDecimal amount, Instant at, List<String> lines) {}

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

    @Test
    void genericTypesKeepTheirElements() throws Exception {
        Type type = JacksonResultCodecTest.class.getDeclaredMethod("receipts").getGenericReturnType();
        List<Receipt> receipts = List.of(new Receipt("r-1", BigDecimal.ONE, Instant.EPOCH, List.of()));

        assertThat(codec.decode(codec.encode(receipts), type)).isEqualTo(receipts);
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
