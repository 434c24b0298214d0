package io.idem.applications;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page states for every configuration the outcome of its application. */
@Tag("servers")
class OutcomeTableTest {

    @Test
    void thePageHasEveryConfigurationWithItsOutcome() {
        assertThat(OutcomeTable.published())
                .as("the table in %s: run workshop/applications --publish, or copy it from here", OutcomeTable.PAGE)
                .isEqualTo(OutcomeTable.declared());
    }
}
