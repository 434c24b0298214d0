package io.idem.demo.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.servers.process.ChildJvm;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("servers")
class WorkerTest {

    @TempDir
    Path logs;

    @Test
    void aWorkerThatSomebodyKillsComesBackUnderItsName() {
        try (Worker worker = new Worker("payments-1", "payments", Map.of(), logs)) {
            worker.start();
            long victim = worker.pid();

            assertThat(ProcessHandle.of(victim).orElseThrow().destroyForcibly()).isTrue();

            await().atMost(ChildJvm.LONGEST_START).until(() -> worker.pid() != victim && worker.isAlive());
            assertThat(worker.kills()).isOne();
            assertThat(worker.hasFailed()).isFalse();
        }
    }

    @Test
    void aWorkerThatEndsByItselfStaysAway() {
        Map<String, String> unusable = Map.of("spring.main.web-application-type", "none at all");
        try (Worker worker = new Worker("payments-1", "payments", unusable, logs)) {
            worker.start();
            long pid = worker.pid();

            await().atMost(ChildJvm.LONGEST_START).until(worker::hasFailed);

            assertThat(worker.pid()).isEqualTo(pid);
            assertThat(worker.kills()).isZero();
        }
    }

    @Test
    void aClosedWorkerStaysAway() {
        Worker worker = new Worker("payments-1", "payments", Map.of(), logs);
        worker.start();
        long pid = worker.pid();

        worker.close();

        assertThat(worker.isAlive()).isFalse();
        assertThat(worker.pid()).isEqualTo(pid);
    }
}
