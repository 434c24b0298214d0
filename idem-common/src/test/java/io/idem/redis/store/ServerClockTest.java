package io.idem.redis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.GuardAction;
import io.idem.redis.UnsuitableRedisException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class ServerClockTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static ServerClock clock(GuardAction onGap) {
        return new ServerClock(onGap, () -> NOW);
    }

    @Test
    void aClockThatIsSetBackIsToldOnce(CapturedOutput output) {
        ServerClock clock = clock(GuardAction.WARN);
        clock.saw(NOW);
        clock.saw(NOW.minusSeconds(240));
        clock.saw(NOW.minusSeconds(239));

        assertThat(output).containsOnlyOnce("was set back by 240 s");
    }

    @Test
    void aClockThatGoesOnIsNotRemarkable(CapturedOutput output) {
        ServerClock clock = clock(GuardAction.WARN);
        clock.saw(NOW);
        clock.saw(NOW.minusSeconds(1));
        clock.saw(NOW.plusSeconds(60));

        assertThat(output).doesNotContain("set back");
    }

    @Test
    void aClockFarFromThisMachinesIsWarnedAboutOrRefusedAsTheOperatorLikes(CapturedOutput output) {
        clock(GuardAction.OFF).compare(NOW.plusSeconds(120));
        assertThat(output).doesNotContain("apart");

        clock(GuardAction.WARN).compare(NOW.minusSeconds(120));
        assertThat(output).contains("120 s apart", "idem.redis.checks.clock=off");

        assertThatThrownBy(() -> clock(GuardAction.FAIL).compare(NOW.plusSeconds(120)))
                .isInstanceOf(UnsuitableRedisException.class)
                .hasMessageContaining("synchronise");
        assertThatCode(() -> clock(GuardAction.FAIL).compare(NOW.plusSeconds(20)))
                .doesNotThrowAnyException();
    }
}
