package io.idem.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.e2e.chaos.fault.FaultClass;
import io.idem.e2e.chaos.worker.Flaw;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The command line of {@code ./chaos}. */
class ChaosOptionsTest {

    @Test
    void everyClassOfFaultsIsTriedUnlessSomeAreNamed() {
        assertThat(ChaosOptions.parse().classes()).containsExactly(FaultClass.values());
        assertThat(ChaosOptions.parse("--classes", "kill,redis-loss").classes())
                .containsExactly(FaultClass.KILL, FaultClass.REDIS_LOSS);
    }

    @Test
    void theFullRunIsLargeEnoughForItsTarget() {
        ChaosOptions full = ChaosOptions.parse("--full");

        assertThat(full.messages() * full.classes().size()).isGreaterThanOrEqualTo(100_000);
        assertThat(full.faults() * full.classes().size()).isGreaterThanOrEqualTo(500);
    }

    @Test
    void aMistakeIsNamed() {
        assertThatThrownBy(() -> ChaosOptions.parse("--classes", "rust"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'rust'")
                .hasMessageContaining("redis-loss");
        assertThatThrownBy(() -> ChaosOptions.parse("--seed", "x")).hasMessageContaining("--seed");
        assertThatThrownBy(() -> ChaosOptions.parse("--sed")).hasMessageContaining("--sed");
        assertThatThrownBy(() -> ChaosOptions.parse("--seed")).hasMessageContaining("needs a value");
    }

    @Test
    void theUsageTextNamesEveryClassAndEveryFlaw() throws IOException {
        try (InputStream text =
                Objects.requireNonNull(ChaosOptionsTest.class.getResourceAsStream("/chaos-usage.txt"))) {
            String usage = new String(text.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(Arrays.stream(FaultClass.values()).map(FaultClass::id)).allMatch(usage::contains);
            assertThat(Arrays.stream(Flaw.values())
                            .filter(flaw -> flaw != Flaw.NONE)
                            .map(Flaw::id))
                    .allMatch(usage::contains);
        }
    }
}
