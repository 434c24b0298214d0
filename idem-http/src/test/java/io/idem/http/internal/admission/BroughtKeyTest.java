package io.idem.http.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.InvalidKeyException;
import io.idem.http.KeyRules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BroughtKeyTest {

    @Test
    void aKeyIsItsRouteAndItsParts() {
        assertThat(BroughtKey.of(List.of("/webhooks/stripe"), List.of("stripe", "evt_1")))
                .isEqualTo("event:/webhooks/stripe:stripe:evt_1");
    }

    @Test
    void differentPartsAreDifferentKeys() {
        assertThat(List.of(
                        BroughtKey.of(List.of("/a"), List.of("b:c", "d")),
                        BroughtKey.of(List.of("/a"), List.of("b", "c:d")),
                        BroughtKey.of(List.of("/a"), List.of("b", "c", "d")),
                        BroughtKey.of(List.of("/a"), List.of("b%3Ac", "d")),
                        BroughtKey.of(List.of("/a:b"), List.of("c", "d"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void theVariablesOfAPatternAreParts() {
        assertThat(BroughtKey.of(List.of("/{tenant}/events", "tea"), List.of("1")))
                .isEqualTo("event:/{tenant}/events:tea:1");
    }

    @Test
    void controlCharactersAreEscaped() {
        assertThat(BroughtKey.of(List.of("/a"), List.of("b\n\u0000"))).isEqualTo("event:/a:b%0A%00");
    }

    @Test
    void aLongKeyIsADigestOfItsParts() {
        String source = "urn:" + "x".repeat(300);

        String key = BroughtKey.of(List.of("/a"), List.of(source, "1"));

        assertThat(key)
                .startsWith("event:/digest::")
                .hasSize(47)
                .isEqualTo(BroughtKey.of(List.of("/a"), List.of(source, "1")));
        assertThat(key).isNotEqualTo(BroughtKey.of(List.of("/a"), List.of(source, "2")));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 300})
    void halfASurrogatePairIsNoKeyHoweverLong(int length) {
        String part = "x".repeat(length) + "\ud800";

        assertThatThrownBy(() -> BroughtKey.of(List.of("/a"), List.of(part))).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void theKeysOfClientsAreNotThoseOfEvents() {
        assertThat(KeyHeader.read(List.of(BroughtKey.of(List.of("/a"), List.of("b"))), KeyRules.DEFAULT))
                .isInstanceOf(KeyReading.Malformed.class);
        assertThat(KeyHeader.read(List.of(BroughtKey.of(List.of("/a"), List.of("b".repeat(300)))), KeyRules.DEFAULT))
                .isInstanceOf(KeyReading.Malformed.class);
        assertThat(KeyHeader.read(List.of("event:1"), KeyRules.DEFAULT)).isInstanceOf(KeyReading.Present.class);
    }
}
