package io.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

    @Test
    void theIdIsFixed() {
        assertThat(new IdempotencyKey("default", "k-1").id()).isEqualTo("OiRYWfxNoCcA5DEbPKU9pA");
    }

    @Test
    void tenantAndValueDoNotRunIntoEachOther() {
        assertThat(new IdempotencyKey("a", "bc").id()).isNotEqualTo(new IdempotencyKey("ab", "c").id());
    }

    @Test
    void whateverTheClientSendsTheIdIsHarmless() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            String value = random.ints(1 + random.nextInt(64), 0x20, 0xd800)
                    .filter(c -> !Character.isISOControl(c))
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .append('x')
                    .toString();
            assertThat(IdempotencyKey.of(value).id()).matches("[A-Za-z0-9_-]{22}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"k", " k ", "{slot}", "a:b*c", "ключ", "😀"})
    void textIsTakenAsItIs(String value) {
        assertThat(IdempotencyKey.of(value).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\u2003 ",
                "a\nb",
                "a\u0000",
                "a\u007f",
                "a\u0085b",
                "half \ud83d",
                "\ude00 half",
                "\ud83dx"
            })
    void whatCannotBeAKeyIsRefusedWithTheReason(String value) {
        assertThatThrownBy(() -> IdempotencyKey.of(value))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("key");
        assertThatThrownBy(() -> new IdempotencyKey(value, "k"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("tenant");
    }

    @Test
    void theLongestKeyIsAllowedAndOneMoreIsNot() {
        assertThatCode(() -> IdempotencyKey.of("k".repeat(IdempotencyKey.MAX_LENGTH)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> IdempotencyKey.of("k".repeat(IdempotencyKey.MAX_LENGTH + 1)))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("1024");
    }
}
