package io.idem.json;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

/** Results that the present release reads, and those that it would misread. */
class EvolvedTypesTest {

    /** Bytes as version 0.1 stored them before types were compared. */
    private static final String STORED =
            "{\"id\":\"r-1\",\"amount\":1234567890123456.70,\"lines\":[{\"sku\":\"a\",\"count\":2}]}";

    record Line(String sku, int count) {}

    record Receipt(String id, BigDecimal amount, List<Line> lines) {}

    record WithMore(
            String id,
            BigDecimal amount,
            List<Line> lines,
            @Nullable String note,
            int copies) {}

    record WithLess(String id, BigDecimal amount) {}

    record Amounts(BigDecimal amount, int count) {}

    record Renamed(String id, BigDecimal total, List<Line> lines) {}

    record RenamedToNumber(String id, int total, List<Line> lines) {}

    record RenamedInside(String id, BigDecimal amount, List<RenamedLine> lines) {}

    record RenamedLine(String article, int count) {}

    record Aliased(String id, @JsonAlias("amount") BigDecimal total, List<Line> lines) {}

    record Address(String street, @Nullable String zip) {}

    record Shipped(
            String id,
            @JsonAlias("address") Address destination,
            @JsonAlias("lines") List<Line> items) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RenamedWithoutNulls(String id, BigDecimal total, List<Line> lines) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record WithoutNulls(
            String id,
            BigDecimal amount,
            List<Line> lines,
            @Nullable String note) {}

    record Counted(@Nullable String name, int count) {}

    record Switched(boolean on) {}

    record Rough(double amount) {}

    record Moment(OffsetDateTime at) {}

    static class Derived {
        public int cents;

        @JsonInclude(JsonInclude.Include.NON_NULL)
        public @Nullable String note;

        public String getFormatted() {
            return cents / 100 + "." + cents % 100;
        }
    }

    static class Aging {
        public @Nullable String id;
        public @Nullable String zone;

        public long getAge() {
            return System.nanoTime();
        }
    }

    static class Aged {
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        private int age;

        public int getAge() {
            return age;
        }
    }

    static class Hidden {
        public @Nullable String id;
        private int count;

        public int getTotal() {
            return count;
        }
    }

    @JsonDeserialize(builder = Built.Builder.class)
    static class Built {
        private final int count;

        Built(int count) {
            this.count = count;
        }

        public int getTotal() {
            return count;
        }

        static class Builder {
            private int total;

            public Builder withTotal(int given) {
                total = given;
                return this;
            }

            public Built build() {
                return new Built(total);
            }
        }
    }

    private final JacksonResultCodec codec =
            new JacksonResultCodec(JsonMapper.builder().build());

    private static StoredResult stored(String json) {
        return StoredResult.of("json", json.getBytes(StandardCharsets.UTF_8));
    }

    private Object read(String json, Type type) {
        return requireNonNull(codec.decode(stored(json), type));
    }

    private void refuses(String json, Class<?> type, String reason) {
        assertThatThrownBy(() -> read(json, type))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContaining(type.getName())
                .hasMessageContaining(reason);
    }

    @Test
    void numbersWithoutATypeKeepTheirDigits() {
        assertThat(((Map<?, ?>) read(STORED, Map.class)).get("amount"))
                .isEqualTo(new BigDecimal("1234567890123456.70"));
        assertThat((List<?>) read("[0.1,3,12345678901234567890]", List.class))
                .hasToString("[0.1, 3, 12345678901234567890]");
    }

    @Test
    void fieldsMayBeAddedRemovedAndLeftOut() {
        List<Line> lines = List.of(new Line("a", 2));
        BigDecimal amount = new BigDecimal("1234567890123456.70");

        assertThat(read(STORED, Receipt.class)).isEqualTo(new Receipt("r-1", amount, lines));
        assertThat(read(STORED, WithMore.class)).isEqualTo(new WithMore("r-1", amount, lines, null, 0));
        assertThat(read(STORED, WithLess.class)).isEqualTo(new WithLess("r-1", amount));
        assertThat(read(STORED, WithoutNulls.class)).isEqualTo(new WithoutNulls("r-1", amount, lines, null));
        assertThat(read("{\"name\":null}", Counted.class)).isEqualTo(new Counted(null, 0));
    }

    /** So instances of earlier versions read what this one stores. */
    @Test
    void theBytesAreThoseOfEarlierVersions() {
        Amounts amounts = new Amounts(new BigDecimal("1234567890123456.70"), 2);
        String before = "{\"amount\":1234567890123456.70,\"count\":2}";

        assertThat(codec.encode(amounts)).isEqualTo(stored(before));
        assertThat(read(before, Amounts.class)).isEqualTo(amounts);
    }

    @Test
    void aRenamedFieldIsRefused() {
        refuses(STORED, Renamed.class, "amount");
        refuses(STORED, RenamedToNumber.class, "amount");
        refuses(STORED, RenamedWithoutNulls.class, "amount");
        refuses(STORED, RenamedInside.class, "lines: the field sku");
    }

    @Test
    void theFormerNameOfAFieldAsItsAliasIsRead() {
        assertThat(((Aliased) read(STORED, Aliased.class)).total()).isEqualTo("1234567890123456.70");
    }

    @Test
    void theFormerNameOfAFieldIsReadAlsoIfItsValueHasLeftFieldsOut() {
        String shipped = "{\"id\":\"r-1\",\"address\":{\"street\":\"Main Street\"},\"lines\":[{\"sku\":\"a\"}]}";

        assertThat(read(shipped, Shipped.class))
                .isEqualTo(new Shipped("r-1", new Address("Main Street", null), List.of(new Line("a", 0))));
    }

    @Test
    void nullForAPrimitiveIsRefused() {
        refuses("{\"name\":\"a\",\"count\":null}", Counted.class, "null");
        refuses("{\"on\":null}", Switched.class, "null");
    }

    @Test
    void aNumberThatBecomesAnotherIsRefused() {
        refuses("{\"name\":\"a\",\"count\":10.75}", Counted.class, "count: 10.75 became 10");
        refuses("{\"name\":\"a\",\"count\":\"\"}", Counted.class, "count: an empty text became 0");
        refuses("{\"on\":5}", Switched.class, "on: 5 became true");
        refuses("{\"amount\":1234567890123456.70}", Rough.class, "amount: 1234567890123456.70 became");
        refuses("1.5", Long.class, "1.5 became 1");
        refuses("2.5", Integer.class, "2.5 became 2");
    }

    @Test
    void aNumberInAnotherNotationIsRead() {
        assertThat(read("{\"name\":\"a\",\"count\":10.00}", Counted.class)).isEqualTo(new Counted("a", 10));
        assertThat(read("{\"name\":\"a\",\"count\":\"12\"}", Counted.class)).isEqualTo(new Counted("a", 12));
        assertThat(read("{\"amount\":0.1}", Rough.class)).isEqualTo(new Rough(0.1));
        assertThat(read("1E+5", BigDecimal.class)).isEqualTo(new BigDecimal("1E+5"));
        assertThat(read("7", Double.class)).isEqualTo(7.0);
    }

    @Test
    void whatATypeWritesButDoesNotReadIsNoRenaming() {
        Derived value = new Derived();
        value.cents = 1_050;

        assertThat(((Derived) requireNonNull(codec.decode(codec.encode(value), Derived.class))).cents)
                .isEqualTo(1_050);
    }

    @Test
    void aNumberThatATypeDerivesIsNotCompared() {
        assertThat(((Aging) read("{\"id\":\"a\",\"age\":5}", Aging.class)).id).isEqualTo("a");
        assertThat(((Aging) read("{\"id\":\"a\",\"age\":null}", Aging.class)).id)
                .isEqualTo("a");
        assertThat(read("[{\"id\":\"a\",\"age\":5}]", Aging[].class)).isInstanceOf(Aging[].class);
        refuses("{\"id\":\"a\",\"area\":\"x\",\"age\":5}", Aging.class, "missing is [zone]");
    }

    @Test
    void aGetterAddedSinceIsNotMissing() {
        assertThat(((Aging) read("{\"id\":\"a\",\"zone\":null,\"note\":\"x\"}", Aging.class)).id)
                .isEqualTo("a");
    }

    @Test
    void aNumberOfAFieldThatIsNotReadIsRefused() {
        refuses("{\"age\":5}", Aged.class, "age: 5 became 0");
        refuses("{\"id\":\"a\",\"total\":5}", Hidden.class, "total: 5 became 0");
    }

    @Test
    void aNumberThatABuilderReadsIsCompared() {
        assertThat(((Built) read("{\"total\":5}", Built.class)).getTotal()).isEqualTo(5);
        refuses("{\"total\":5.5}", Built.class, "total: 5.5 became 5");
    }

    @Test
    void setsAndMapsComeBack() {
        assertThat(codec.decode(codec.encode(Set.of("b", "a", "c")), Set.class)).isEqualTo(Set.of("b", "a", "c"));
    }

    @Test
    void theOffsetOfAMomentIsKept() {
        Moment noon = new Moment(OffsetDateTime.parse("2026-01-01T12:00:00+02:00"));

        assertThat(codec.decode(codec.encode(noon), Moment.class)).isEqualTo(noon);
    }
}
