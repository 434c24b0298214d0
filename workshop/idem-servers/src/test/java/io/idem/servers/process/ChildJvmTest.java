package io.idem.servers.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {

    @TempDir
    Path directory;

    @Test
    void argumentsOptionsAndEnvironmentArriveUnchanged() {
        String odd = "a \"b\" \\c\\ 'd' #e $HOME\nü";
        ChildJvm child = ChildJvm.of(Echo.class.getName())
                .jvmArguments("-Decho=" + odd)
                .arguments(odd, "")
                .environment("ECHO", odd)
                .start(directory.resolve("child.log"));

        assertThat(child.awaitEnd()).isEqualTo(3);
        assertThat(child.isAlive()).isFalse();
        assertThat(child.lastOutput()).isEqualTo(String.join("|", odd, "", odd, odd));
        assertThat(child.log()).isEqualTo(directory.resolve("child.log"));
    }

    @Test
    void aClosedChildRunsItsShutdownHooksAndAKilledOneDoesNot() {
        assertThat(endOf(ChildJvm::close)).isEqualTo("hook 143");
        assertThat(endOf(ChildJvm::kill9)).isEqualTo(" 137");
    }

    @Test
    void aStoppedChildStaysUntilContinued() throws IOException {
        Path proc = Path.of("/proc");
        Assumptions.assumeTrue(Files.isDirectory(proc.resolve("self")), "reads the state of a process from /proc");
        try (ChildJvm child = start()) {
            child.sigstop();
            Awaitility.await().until(() -> state(child) == 'T');
            assertThat(child.isAlive()).isTrue();
            child.sigcont();
            Awaitility.await().until(() -> state(child) != 'T');
        }
    }

    private static char state(ChildJvm child) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(child.pid()), "stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2);
    }

    private static String endOf(Consumer<ChildJvm> how) {
        ChildJvm child = start();
        how.accept(child);
        return child.lastOutput().replace("up", "").strip() + " "
                + child.onExit().join();
    }

    private static ChildJvm start() {
        ChildJvm child = ChildJvm.of(Waiter.class.getName()).start();
        Awaitility.await()
                .atMost(ChildJvm.LONGEST_START)
                .until(() -> child.lastOutput().equals("up"));
        return child;
    }

    /** Prints its arguments, a system property and an environment variable. */
    static final class Echo {
        public static void main(String[] arguments) {
            System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
            System.out.print(
                    String.join("|", arguments[0], arguments[1], System.getProperty("echo"), System.getenv("ECHO")));
            System.exit(3);
        }
    }

    /** Waits until it is killed, with a shutdown hook that prints a line. */
    static final class Waiter {
        public static void main(String[] arguments) throws InterruptedException {
            ParentWatch.haltWithParent();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            System.out.println("up");
            Thread.currentThread().join();
        }
    }
}
