package io.idem.servers.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreePortsTest {

    @TempDir
    Path directory;

    @Test
    void aPortIsChosenByOneJvmOnly() {
        int port = FreePorts.next();

        assertThat(claimedByAnotherJvm(port)).isFalse();
        assertThat(FreePorts.claim(port)).isFalse();
    }

    @Test
    void thePortOfAnEndedJvmCanBeChosenAgain() {
        int outside = 32_000;

        assertThat(claimedByAnotherJvm(outside)).isTrue();
        assertThat(claimedByAnotherJvm(outside)).isTrue();
    }

    private boolean claimedByAnotherJvm(int port) {
        ChildJvm child = ChildJvm.of(Claiming.class.getName())
                .arguments(Integer.toString(port))
                .start(directory.resolve("child.log"));
        int exit = child.awaitEnd();
        assertThat(exit).as(child.lastOutput()).isBetween(0, 1);
        return exit == 0;
    }

    static final class Claiming {

        private Claiming() {}

        public static void main(String[] arguments) {
            System.exit(FreePorts.claim(Integer.parseInt(arguments[0])) ? 0 : 1);
        }
    }
}
