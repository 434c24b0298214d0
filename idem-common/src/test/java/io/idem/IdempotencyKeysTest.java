package io.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdempotencyKeysTest {

    private record Order(String customer, int number) {}

    @Test
    void theSameFieldsGiveTheSameKeyForEver() {
        assertThat(IdempotencyKeys.ofFields(Map.of("customer", "c1", "number", 7)))
                .isEqualTo(IdempotencyKeys.ofFields(Map.of("number", 7, "customer", "c1")))
                .isEqualTo("9140ZZqaLQUDxTV33mZCxg")
                .hasSize(22);
    }

    @Test
    void namesAndBoundariesCount() {
        assertThat(List.of(
                        IdempotencyKeys.ofFields(Map.of("a", "bc", "d", "e")),
                        IdempotencyKeys.ofFields(Map.of("a", "b", "d", "ce")),
                        IdempotencyKeys.ofFields(Map.of("ab", "c", "d", "e")),
                        IdempotencyKeys.ofFields(Map.of("a", "bc")),
                        IdempotencyKeys.ofFields(Map.of("a", "bcsde"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void numbersOfOneValueAgreeWhateverTheirType() {
        assertThat(List.of(1, 1L, (short) 1, 1.0, 1f, new BigDecimal("1.00"), BigInteger.ONE))
                .extracting(number -> IdempotencyKeys.ofFields(Map.of("n", number)))
                .containsOnly(IdempotencyKeys.ofFields(Map.of("n", 1)));
        assertThat(List.of(0, 0L, -0.0, new BigDecimal("0E+7")))
                .extracting(number -> IdempotencyKeys.ofFields(Map.of("n", number)))
                .containsOnly(IdempotencyKeys.ofFields(Map.of("n", 0)));
    }

    @Test
    void aTextIsNoNumberAndNoBoolean() {
        assertThat(List.of(1, "1", true, "true", "n1E0"))
                .extracting(value -> IdempotencyKeys.ofFields(Map.of("v", value)))
                .doesNotHaveDuplicates();
    }

    @Test
    void aHugeExponentCostsNothing() {
        assertThat(IdempotencyKeys.ofFields(Map.of("n", new BigDecimal("1E999999999"))))
                .hasSize(22);
    }

    @Test
    void idsAndDatesCountAsTheirTexts() {
        UUID id = UUID.fromString("8e03978e-40d5-43e8-bc93-6894a57f9324");

        assertThat(IdempotencyKeys.ofFields(Map.of("id", id, "day", LocalDate.of(2026, 1, 2))))
                .isEqualTo(IdempotencyKeys.ofFields(Map.of("id", id.toString(), "day", "2026-01-02")));
    }

    @Test
    void halfASurrogatePairWouldBeTheSameAsAnyOtherAndIsRefused() {
        for (Object cut : List.of("\ud800", '\udc00', "a\udc00\ud800")) {
            assertThatThrownBy(() -> IdempotencyKeys.ofFields(Map.of("id", cut)))
                    .isInstanceOf(InvalidKeyException.class)
                    .hasMessage("Field id of the key has half a surrogate pair; send well-formed Unicode");
        }
        assertThat(IdempotencyKeys.ofFields(Map.of("id", "\ud83d\ude00"))).hasSize(22);
    }

    @Test
    void aMissingFieldMeansNoKey() {
        assertThatThrownBy(() -> IdempotencyKeys.ofFields(Collections.singletonMap("customer", null)))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("customer");
        assertThatThrownBy(() -> IdempotencyKeys.ofFields(Map.of())).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void whatHasNoCanonicalTextIsRefused() {
        assertThatThrownBy(() -> IdempotencyKeys.ofFields(Map.of("items", List.of(1, 2))))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("items");
        assertThatThrownBy(() -> IdempotencyKeys.ofFields(Map.of("n", Double.NaN)))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("n of the key is NaN");
        assertThatThrownBy(() -> IdempotencyKeys.ofFields(Map.of("n", new BigDecimal("100E2147483647"))))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("n of the key");
    }

    @Test
    void plainCodeNamesItsFieldsByGetters() {
        KeyStrategy<Order> byOrder =
                KeyStrategy.<Order>fields().and("customer", Order::customer).and("number", Order::number);

        assertThat(byOrder.keyOf(new Order("c1", 7)))
                .isEqualTo(IdempotencyKeys.ofFields(Map.of("customer", "c1", "number", 7)));
        assertThatThrownBy(() ->
                        KeyStrategy.<Order>fields().and("n", Order::number).and("n", Order::customer))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCloudEventIsItsSourceAndItsId() {
        assertThat(IdempotencyKeys.ofCloudEvent("shop", "1")).isEqualTo("4:shop1");
        assertThat(IdempotencyKeys.ofCloudEvent("sho", "p1")).isNotEqualTo("4:shop1");
        assertThatThrownBy(() -> IdempotencyKeys.ofCloudEvent("shop", "")).isInstanceOf(InvalidKeyException.class);
    }
}
