package io.idem.workshop.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.servers.KafkaServers;
import io.idem.servers.RunningKafka;
import io.idem.servers.ServerOptions;
import io.idem.workshop.chaos.check.Finding;
import io.idem.workshop.chaos.check.StepFinding;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.report.Complaints;
import io.idem.workshop.chaos.report.Distribution;
import io.idem.workshop.chaos.report.LaneFigures;
import io.idem.workshop.chaos.report.PhaseFigures;
import io.idem.workshop.chaos.worker.Lane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the logs of brokers and clients are kept when the recovery of Kafka was slow. */
@Tag("extended")
class KeptLogsTest {

    private static final String PREFIX = "s1.p18-kafka-restart";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "KAFKA_RESTART, 29999, false",
        "KAFKA_RESTART, 30000, true",
        "KAFKA_RESTART, 147068, true",
        "KAFKA_FREEZE, 147068, false"
    })
    void logsAreKeptWhenTheRecoveryAfterAKilledKafkaMissesItsTarget(FaultClass faultClass, long longest, boolean kept)
            throws Exception {
        Path log = Files.writeString(directory.resolve("worker-1.log"), "joins\n");
        KeptLogs logs = new KeptLogs(directory.resolve("run"));

        logs.keepIfSlow(phase(faultClass, List.of(1_120L, longest)), PREFIX, () -> Map.of("worker-1.log", log));
        Files.writeString(log, "overwritten by the next run");

        String copy = "kept-logs/" + PREFIX + "/worker-1.log";
        assertThat(logs.files()).isEqualTo(kept ? List.of(copy) : List.of());
        if (kept) {
            assertThat(directory.resolve("run").resolve(copy)).hasContent("joins");
        }
    }

    @Test
    void logsAreKeptWhenALaneNeverWentOn() throws Exception {
        Path log = Files.writeString(directory.resolve("worker-1.log"), "joins");
        KeptLogs logs = new KeptLogs(directory);

        logs.keepIfSlow(phase(FaultClass.KAFKA_RESTART, List.of()), PREFIX, () -> Map.of("worker-1.log", log));

        assertThat(logs.files()).hasSize(1);
    }

    @Test
    void aLogThatIsGoneIsToldAndFailsNothing() {
        PhaseFigures phase = phase(FaultClass.KAFKA_RESTART, List.of(147_068L));
        KeptLogs logs = new KeptLogs(directory);

        logs.keepIfSlow(phase, PREFIX, () -> Map.of("kafka.log", directory.resolve("gone")));

        assertThat(logs.files()).singleElement().asString().contains("kafka.log", "not copied", "gone");
        assertThat(Complaints.of(List.of(phase), Map.of())).isEmpty();
    }

    @Test
    void theLogOfAKafkaThatWasKilledTellsOfBothStarts() throws Exception {
        try (RunningKafka kafka = KafkaServers.start(ServerOptions.own())) {
            kafka.kill();
            kafka.start();

            assertThat(kafka.log())
                    .hasValueSatisfying(log -> assertThat(log)
                            .content()
                            .containsPattern(
                                    "(?s)has been unfenced.*Becoming the active controller.*has been unfenced"));
        }
    }

    private static PhaseFigures phase(FaultClass faultClass, List<Long> recoveries) {
        Distribution none = new Distribution(List.of());
        return new PhaseFigures(
                faultClass,
                2,
                0,
                10,
                100,
                true,
                none,
                Arrays.stream(Lane.values())
                        .map(lane -> new LaneFigures(
                                new Finding(
                                        lane.id(), 100, 100, 100, List.of(), List.of(), List.of(), List.of(), List.of(),
                                        List.of()),
                                lane.rabbit() ? 0 : 2,
                                List.of(),
                                none,
                                none,
                                none,
                                lane.rabbit() ? none : new Distribution(recoveries)))
                        .toList(),
                StepFinding.NONE);
    }
}
