package io.idem.servers.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.servers.PostgresServers;
import io.idem.servers.RedisServers;
import io.idem.servers.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NothingIsLeftBehindTest {

    private Path base;

    @BeforeEach
    void newBase() throws IOException {
        base = Files.createTempDirectory("idem-servers-test");
    }

    @AfterEach
    void removeBase() throws IOException {
        new ProcessBuilder("rm", "-rf", base.toString()).start();
    }

    @Test
    void allServersAndChildrenEndWithAKilledJvmAndNotBefore() throws IOException {
        ChildJvm jvm = startJvmWithServers();
        leaveAlone(runDirectories());
        List<ProcessHandle> processes = descendantsWithoutWatchdog(jvm);
        assertThat(processes).allMatch(ProcessHandle::isAlive);
        assertThat(processes).hasSizeGreaterThanOrEqualTo(3);
        // The child JVM is stopped, so it cannot end by itself.
        processes.forEach(process -> Signals.send(process.pid(), isJava(process) ? "STOP" : "CONT"));

        jvm.kill9();

        soon().until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        soon().until(() -> runDirectories().isEmpty());
    }

    /** Checks that another JVM, which looks for stale runs at its start, leaves these alone. */
    private void leaveAlone(List<Path> living) throws IOException {
        letTheLocksAge();
        StaleRuns.reap(base);

        RunDirectory next = RunDirectory.create(base);
        next.abandon();
        soon().until(() -> runDirectories().equals(living));
    }

    @Test
    @Tag("extended")
    void whatSurvivedAJvmAndItsWatchdogEndsWhenTheNextJvmStarts() throws IOException {
        ChildJvm jvm = startJvmWithServers();
        List<ProcessHandle> processes = descendantsWithoutWatchdog(jvm);
        watchdogs(jvm).forEach(ProcessHandle::destroyForcibly);
        jvm.kill9();
        assertThat(processes).anyMatch(ProcessHandle::isAlive);
        soon().until(() -> processes.stream().filter(this::isJava).noneMatch(ProcessHandle::isAlive));
        letTheLocksAge();

        RunDirectory next = RunDirectory.create(base);

        soon().until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        soon().until(() -> runDirectories().equals(List.of(next.path())));
        next.abandon();
    }

    @Test
    void aProcessThatOnlyInheritedARecordedNumberIsSpared() throws IOException {
        Process stranger = new ProcessBuilder("sleep", "60").start();
        RunDirectory run = RunDirectory.create(base);
        Files.createFile(run.pids().resolve(Long.toString(stranger.pid())));
        run.abandon();

        soon().until(() -> runDirectories().isEmpty());
        assertThat(stranger.isAlive()).isTrue();
        stranger.destroyForcibly();
    }

    private ChildJvm startJvmWithServers() {
        ChildJvm jvm = ChildJvm.of(Starter.class.getName())
                .environment(RunDirectory.BASE_SETTING, base.toString())
                .start();
        Awaitility.await()
                .atMost(ChildJvm.LONGEST_START)
                .until(() -> jvm.lastOutput().contains("started"));
        return jvm;
    }

    private void letTheLocksAge() throws IOException {
        for (Path lock : list(".lock")) {
            Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(60)));
        }
    }

    private List<Path> runDirectories() throws IOException {
        return list("");
    }

    private List<Path> list(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(base)) {
            return files.filter(file -> file.getFileName().toString().matches("run-[0-9-]+" + suffix))
                    .toList();
        }
    }

    private static List<ProcessHandle> descendantsWithoutWatchdog(ChildJvm jvm) {
        return descendants(jvm).filter(process -> !isWatchdog(process)).toList();
    }

    private static List<ProcessHandle> watchdogs(ChildJvm jvm) {
        return descendants(jvm).filter(NothingIsLeftBehindTest::isWatchdog).toList();
    }

    private static Stream<ProcessHandle> descendants(ChildJvm jvm) {
        return ProcessHandle.of(jvm.pid()).orElseThrow().descendants();
    }

    private static boolean isWatchdog(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains("watchdog.sh");
    }

    private boolean isJava(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("/java");
    }

    private static ConditionFactory soon() {
        return Awaitility.await().atMost(Duration.ofMinutes(2));
    }

    /** Starts a Redis, a PostgreSQL and a JVM, and waits until it is killed. */
    static final class Starter {
        public static void main(String[] arguments) throws InterruptedException {
            ParentWatch.haltWithParent();
            RedisServers.start(ServerOptions.own());
            PostgresServers.start(ServerOptions.own());
            ChildJvm child = ChildJvm.of(ChildJvmTest.Waiter.class.getName()).start();
            Awaitility.await()
                    .atMost(ChildJvm.LONGEST_START)
                    .until(() -> child.lastOutput().equals("up"));
            System.out.println("started");
            Thread.currentThread().join();
        }
    }
}
