package io.idem.workshop.chaos.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the changed scripts still differ from the library's as intended. */
class FlawedScriptsTest {

    @ParameterizedTest
    @EnumSource(
            value = Flaw.class,
            names = {
                "OWNER_UNCHECKED",
                "DELETE_ON_CLEAR",
                "COUNTER_FENCE",
                "REPEATED_ACQUIRE",
                "TTL_AS_LEASE",
                "STEP_FORGOTTEN"
            })
    void everyTextThatAFlawReplacesIsInItsScriptOnce(Flaw flaw) {
        assertThat(FlawedScripts.of(flaw))
                .isNotEmpty()
                .allSatisfy((script, text) -> assertThat(text).isNotEqualTo(FlawedScripts.library(script)));
    }

    @Test
    void theLibraryAsItIsNeedsNothing() {
        assertThat(FlawedScripts.of(Flaw.NONE)).isEmpty();
    }
}
