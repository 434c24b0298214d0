package io.idem.consumer.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.InvalidKeyException;
import io.idem.consumer.internal.guard.FakeMessage;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HeaderTextTest {

    private static final String NAME = "x-idempotency-key";

    static List<Object> readable() {
        UUID uuid = UUID.fromString("00000000-0000-0000-0000-000000000042");
        return List.of("42", CharBuffer.wrap("42"), 42L, 42, (short) 42, (byte) 42, BigInteger.valueOf(42), uuid);
    }

    @ParameterizedTest
    @MethodSource("readable")
    void textsAndIntegralNumbersAreRead(Object value) {
        assertThat(HeaderText.read(new FakeMessage().with(NAME, value), NAME)).contains(value.toString());
    }

    @Test
    void bytesAreReadAsUtf8() {
        byte[] bytes = "schlüssel".getBytes(StandardCharsets.UTF_8);

        assertThat(HeaderText.read(new FakeMessage().with(NAME, (Object) bytes), NAME))
                .contains("schlüssel");
    }

    static List<Object> unreadable() {
        return List.of(
                4.2, 4.2f, new BigDecimal("4.2"), true, Instant.EPOCH, List.of("42"), Map.of("a", "b"), new byte[] {-1
                });
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void everythingElseIsRefusedWithTheHeadersName(Object value) {
        FakeMessage message = new FakeMessage().with(NAME, value);

        assertThatThrownBy(() -> HeaderText.read(message, NAME))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining(NAME);
    }

    @Test
    void textInWhichAClientLibraryReplacedBytesIsRefused() {
        FakeMessage message = new FakeMessage().with(NAME, "gr\uFFFDn");

        assertThatThrownBy(() -> HeaderText.read(message, NAME))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void aHeaderWithoutAValueIsRefusedNotMissing() {
        FakeMessage message = new FakeMessage().with(NAME, (@Nullable Object) null);

        assertThatThrownBy(() -> HeaderText.read(message, NAME)).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void anAbsentHeaderIsMissing() {
        assertThat(HeaderText.read(new FakeMessage(), NAME)).isEmpty();
    }

    @Test
    void theSameValueTwiceIsOneValue() {
        FakeMessage message = new FakeMessage().with(NAME, "k1", "k1".getBytes(StandardCharsets.UTF_8));

        assertThat(HeaderText.read(message, NAME)).contains("k1");
    }

    @Test
    void twoDifferentValuesAreRefusedWithoutRepeatingThem() {
        FakeMessage message = new FakeMessage().with(NAME, "k1", "k2");

        assertThatThrownBy(() -> HeaderText.read(message, NAME))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("different values")
                .hasMessageNotContaining("k2");
    }
}
