package io.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static Fingerprint of(String... parts) {
        byte[][] bytes = new byte[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            bytes[i] = parts[i].getBytes(StandardCharsets.UTF_8);
        }
        return Fingerprint.of(bytes);
    }

    /** What is stored now must compare equal with what a later version computes. */
    @Test
    void isTheBeginningOfSha256OverPartsWithTheirLengths() {
        assertThat(of("ab", "c")).hasToString("f2939f903016e5bb29b1e4a61cdbd376");
    }

    @Test
    void theBoundariesAndTheOrderOfPartsCount() {
        assertThat(of("ab", "c")).isNotEqualTo(of("a", "bc")).isNotEqualTo(of("c", "ab"));
        assertThat(of("a", "")).isNotEqualTo(of("a"));
    }

    @Test
    void itsTextAndBytesLeadBackToIt() {
        Fingerprint fingerprint = of("payload");

        assertThat(Fingerprint.parse(fingerprint.toString()))
                .isEqualTo(fingerprint)
                .hasSameHashCodeAs(fingerprint);
        assertThat(Fingerprint.ofBytes(fingerprint.toBytes())).isEqualTo(fingerprint);
        assertThat(fingerprint.hashCode()).isNotEqualTo(of("another").hashCode());
    }

    @Test
    void onlyOneThatWasNotGivenMatchesAnother() {
        assertThat(of("a").matches(of("a"))).isTrue();
        assertThat(of("a").matches(of("b"))).isFalse();
        assertThat(of("a").matches(Fingerprint.NONE)).isTrue();
        assertThat(Fingerprint.NONE.matches(of("a"))).isTrue();
    }

    @Test
    void anotherNumberOfBytesIsRefused() {
        assertThatThrownBy(() -> Fingerprint.ofBytes(new byte[15])).hasMessageContaining("16 bytes, not 15");
    }
}
