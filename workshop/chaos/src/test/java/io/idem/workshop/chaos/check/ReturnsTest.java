package io.idem.workshop.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the log of returns: a key's cost is its largest count. */
class ReturnsTest {

    @Test
    void theLargestCountOfAKeyCounts(@TempDir Path directory) throws Exception {
        Path log = Files.writeString(
                directory.resolve("returns.log"), "1 s1.p1-kill.a.1 1\n2 s1.p1-kill.a.1 3\n3 s1.p2-busy.a.1 1\n4 s1.p");

        Returns returns = Returns.read(log);

        assertThat(returns.of("s1.p1-kill.")).containsExactly(3);
        assertThat(returns.of("s1.p3-")).isEmpty();
    }
}
