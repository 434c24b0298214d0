package io.idem.packaging.aot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.servers.RunningKafka;
import io.idem.servers.SharedServers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs in extended builds only, because it starts a JVM and a compiler. */
@Tag("extended")
class ProcessedIntakeTest {

    @TempDir
    private Path directory;

    private final RunningKafka kafka = SharedServers.kafka();
    private final String topic = "processed-" + UUID.randomUUID();

    @Test
    void anIntakeProcessedAheadOfTimeStartsAndReplays() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }

        String output = new ProcessedProgram(ProcessedIntake.class, directory, settings()).run();

        assertThat(output).contains("Starting AOT-processed ProcessedIntake");
        assertThat(output)
                .contains(ProcessedIntake.ANSWERED
                        + "[200 run 1 first, 200 run 1 true, 201 {\"taken\":true} first, 201 {\"taken\":true} true]");
    }

    private List<String> settings() {
        return List.of(
                "--spring.main.web-application-type=servlet",
                ProcessedProgram.WITHOUT_DATABASE,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.application.name=intake",
                "--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "--idem.gateway.confirm-timeout=10s",
                "--idem.gateway.api-keys[0].tenant=north",
                "--idem.gateway.api-keys[0].key=" + ProcessedIntake.API_KEY,
                "--idem.gateway.limits.tenants.south.requests=2",
                "--idem.gateway.routes[0].path=/v1/payouts",
                "--idem.gateway.routes[0].topic=" + topic,
                "--idem.gateway.routes[0].response.status=201",
                "--idem.gateway.routes[0].response.body={\"taken\":true}");
    }
}
