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
    void texts_and_integral_numbers_are_read(Object value) {
        assertThat(HeaderText.read(new FakeMessage().with(NAME, value), NAME)).contains(value.toString());
    }

    @Test
    void bytes_are_read_as_utf_8() {
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
    void everything_else_is_refused_with_the_headers_name(Object value) {
        FakeMessage message = new FakeMessage().with(NAME, value);

        assertThatThrownBy(() -> HeaderText.read(message, NAME))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining(NAME);
    }

    @Test
    void text_in_which_a_client_library_replaced_bytes_is_refused() {
        FakeMessage message = new FakeMessage().with(NAME, "gr\uFFFDn");

        assertThatThrownBy(() -> HeaderText.read(message, NAME))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void a_header_without_a_value_is_refused_not_missing() {
        FakeMessage message = new FakeMessage().with(NAME, (@Nullable Object) null);

        assertThatThrownBy(() -> HeaderText.read(message, NAME)).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void an_absent_header_is_missing() {
        assertThat(HeaderText.read(new FakeMessage(), NAME)).isEmpty();
    }

    @Test
    void the_same_value_twice_is_one_value() {
        FakeMessage message = new FakeMessage().with(NAME, "k1", "k1".getBytes(StandardCharsets.UTF_8));

        assertThat(HeaderText.read(message, NAME)).contains("k1");
    }

    @Test
    void two_different_values_are_refused_without_repeating_them() {
        FakeMessage message = new FakeMessage().with(NAME, "k1", "k2");

        assertThatThrownBy(() -> HeaderText.read(message, NAME))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("different values")
                .hasMessageNotContaining("k2");
    }
}
