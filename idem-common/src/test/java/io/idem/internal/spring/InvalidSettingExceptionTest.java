package io.idem.internal.spring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class InvalidSettingExceptionTest {

    @Test
    void aRefusedValueIsNamedByItsSetting() {
        IllegalArgumentException refused = new IllegalArgumentException("maxWeight must be positive");

        assertThatThrownBy(() -> InvalidSettingException.named("idem.cache.", () -> {
                    throw refused;
                }))
                .hasMessage("Setting idem.cache.max-weight: maxWeight must be positive")
                .hasCause(refused);
    }

    @Test
    void aRefusalOfOneWordIsTold() {
        assertThatThrownBy(() -> InvalidSettingException.named(value -> "idem.redis.url", () -> {
                    throw new IllegalArgumentException("malformed");
                }))
                .hasMessage("Setting idem.redis.url: malformed");
    }

    @Test
    void theFirstWordOfAnotherComplaintIsNotTakenForASetting() {
        assertThatThrownBy(() -> InvalidSettingException.named("idem.redis.", () -> {
                    throw new IllegalArgumentException("Illegal character in host");
                }))
                .hasMessage("Setting idem.redis: Illegal character in host");
    }
}
