package io.idem.internal.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import io.idem.internal.RawResultCodec;
import io.idem.json.JacksonResultCodec;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ResultCodecsTest {

    private static final List<ResultCodec> ALL =
            List.of(new JacksonResultCodec(JsonMapper.builder().build()), new RawResultCodec());

    record Receipt(String id, List<Integer> amounts) {}

    private static final Receipt RECEIPT = new Receipt("r-1", List.of(1, 2));

    private static final byte[] JSON = "{\"id\":\"r-1\",\"amounts\":[1,2]}".getBytes(StandardCharsets.UTF_8);

    private static ResultCodecs writing(String name) {
        return new ResultCodecs(ALL, name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "raw"})
    void resultsOfOneCodecAreReadAfterASwitchToAnother(String after) {
        StoredResult stored = writing("json").encode(RECEIPT);

        assertThat(stored.codec()).isEqualTo("json");
        assertThat(writing(after).decode(stored, Receipt.class)).isEqualTo(RECEIPT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "raw"})
    void resultsOfJackson2AreReadAsJson(String writer) {
        StoredResult stored = StoredResult.of("jackson2", JSON);

        assertThat(writing(writer).decode(stored, Receipt.class)).isEqualTo(RECEIPT);
    }

    @Test
    void anApplicationsOwnCodecOfThatNameReadsThem() {
        ResultCodecs codecs = new ResultCodecs(
                List.of(new JacksonResultCodec(JsonMapper.builder().build()), new Named("jackson2")), "json");

        assertThat(codecs.decode(StoredResult.of("jackson2", JSON), Receipt.class))
                .isNull();
    }

    @Test
    void rawKeepsBytesAndTextAsTheyAre() {
        ResultCodecs raw = writing("raw");

        assertThat((byte[]) raw.decode(raw.encode(new byte[] {1, -1}), byte[].class))
                .containsExactly(1, -1);
        assertThat(raw.decode(raw.encode("grüße"), String.class)).isEqualTo("grüße");
        assertThat(raw.encode("a").content()).containsExactly('a');
        assertThatThrownBy(() -> raw.encode(RECEIPT))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContainingAll("Receipt", "idem.result.codec");
        assertThatThrownBy(() -> raw.decode(raw.encode("a"), Integer.class))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContaining("Integer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "raw"})
    void nothingIsNothingInEveryCodec(String name) {
        assertThat(writing(name).encode(null)).isEqualTo(StoredResult.NONE);
        assertThat(writing(name).decode(StoredResult.NONE, Receipt.class)).isNull();
        assertThat(writing(name).decode(StoredResult.of("anything", new byte[1]), void.class))
                .isNull();
    }

    @Test
    void anUnknownCodecIsNamedWithARemedy() {
        assertThatThrownBy(() -> writing("json").decode(StoredResult.of("avro", new byte[1]), Receipt.class))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContainingAll("\"avro\"", "[jackson2, json, raw]", "retention");
    }

    @Test
    void aResultThatCannotBeUnpackedNamesTheSettingsThatPackedIt() {
        assertThatThrownBy(() -> writing("json").decode(StoredResult.of("idem.aes-gcm", new byte[1]), Receipt.class))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContainingAll("idem.aes-gcm", "idem.result.encryption", "the log")
                .hasMessageNotContaining("codec of that name");
    }

    @Test
    void namesAreUniqueKnownAndNotReserved() {
        assertThatThrownBy(() -> new ResultCodecs(List.of(new RawResultCodec(), new RawResultCodec()), "raw"))
                .hasMessageContaining("both named \"raw\"");
        assertThatThrownBy(() -> writing("avro")).hasMessageContainingAll("avro", "raw");
        assertThatThrownBy(() -> writing("jackson2")).hasMessageContainingAll("jackson2", "[json, raw]");
        assertThatThrownBy(() -> new ResultCodecs(List.of(new Named("idem.mine")), "idem.mine"))
                .hasMessageContaining("idem's own");
        assertThat(new ResultCodecs(List.of(new Named("mine")), "mine").name()).isEqualTo("mine");
    }

    private record Named(String name) implements ResultCodec {

        @Override
        public StoredResult encode(@Nullable Object value) {
            return StoredResult.NONE;
        }

        @Override
        public @Nullable Object decode(StoredResult result, Type type) {
            return null;
        }
    }
}
