package io.idem.packaging.aot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs in extended builds only, because it starts a JVM and a compiler. */
@Tag("extended")
class ProcessedApplicationTest {

    @TempDir
    private Path directory;

    @Test
    void anApplicationProcessedAheadOfTimeStartsAndIsProtected() throws Exception {
        String output = new ProcessedProgram(ProcessedShop.class, directory, settings()).run();

        assertThat(output).contains("Starting AOT-processed ProcessedShop");
        assertThat(output)
                .contains(ProcessedShop.HANDLED
                        + "[payment first first, payment last last, receipt first, receipt last]");
    }

    private static List<String> settings() {
        RunningAmqp rabbit = SharedServers.amqp();
        return List.of(
                "--spring.main.web-application-type=none",
                ProcessedProgram.WITHOUT_DATABASE,
                "--shop.name=shop-" + UUID.randomUUID(),
                "--spring.rabbitmq.host=" + rabbit.host(),
                "--spring.rabbitmq.port=" + rabbit.port(),
                "--spring.rabbitmq.username=" + rabbit.username(),
                "--spring.rabbitmq.password=" + rabbit.password(),
                "--spring.rabbitmq.virtual-host=" + rabbit.virtualHost(),
                "--spring.kafka.bootstrap-servers=" + SharedServers.kafka().bootstrapServers(),
                "--spring.kafka.consumer.auto-offset-reset=earliest");
    }
}
