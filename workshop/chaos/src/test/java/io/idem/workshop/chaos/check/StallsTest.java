package io.idem.workshop.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the log of stalls, which count for the processes that they delayed. */
class StallsTest {

    private static final long PROXIES = 7;
    private final Stalls stalls = new Stalls(
            List.of(new Stall(1, 1_000, 2_000), new Stall(1, 2_500, 3_000), new Stall(PROXIES, 1_000, 1_600)), PROXIES);

    @Test
    void onlyThePartBetweenTheTwoMomentsCounts() {
        assertThat(stalls.millis(1, 1_500, 2_700)).isEqualTo(700);
        assertThat(stalls.millis(1, 2_000, 2_500)).isZero();
    }

    @Test
    void whoeverHasNoWayToRedisStandsStillToo() {
        assertThat(stalls.millis(2, 0, 9_000)).isEqualTo(600);
    }

    @Test
    void aTornLineIsLeftOut(@TempDir Path directory) throws Exception {
        Path log = Files.writeString(directory.resolve("stalls.log"), "3000 500 1\n4000 70");

        assertThat(Stalls.read(log).all()).containsExactly(new Stall(1, 2_500, 3_000));
    }
}
