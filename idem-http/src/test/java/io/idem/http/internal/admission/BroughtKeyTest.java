package io.idem.http.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BroughtKeyTest {

    @Test
    void aKeyIsItsRouteAndItsParts() {
        assertThat(BroughtKey.of("/webhooks/stripe", List.of("stripe", "evt_1")))
                .isEqualTo("/webhooks/stripe:stripe:evt_1");
    }

    @Test
    void differentPartsAreDifferentKeys() {
        assertThat(List.of(
                        BroughtKey.of("/a", List.of("b:c", "d")),
                        BroughtKey.of("/a", List.of("b", "c:d")),
                        BroughtKey.of("/a", List.of("b", "c", "d")),
                        BroughtKey.of("/a", List.of("b%3Ac", "d")),
                        BroughtKey.of("/a:b", List.of("c", "d"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void controlCharactersAreEscaped() {
        assertThat(BroughtKey.of("/a", List.of("b\n\u0000"))).isEqualTo("/a:b%0A%00");
    }

    @Test
    void aLongKeyIsADigestOfItsParts() {
        String source = "urn:" + "x".repeat(300);

        String key = BroughtKey.of("/a", List.of(source, "1"));

        assertThat(key).startsWith("digest:").hasSize(39).isEqualTo(BroughtKey.of("/a", List.of(source, "1")));
        assertThat(key).isNotEqualTo(BroughtKey.of("/a", List.of(source, "2")));
    }
}
