package io.idem.packaging.aot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.servers.SharedServers;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs in extended builds only, because it starts a JVM and a compiler. */
@Tag("extended")
class ProcessedEndpointsTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"servlet, Tomcat", "reactive, Netty"})
    void endpointsProcessedAheadOfTimeAreExecutedOnceAndReplayed(String kind, String server) throws Exception {
        String output = new ProcessedProgram(ProcessedEndpoints.class, directory, settings(kind)).run();

        assertThat(output).contains("Starting AOT-processed ProcessedEndpoints", server + " started on port");
        assertThat(output)
                .contains(ProcessedEndpoints.ANSWERED
                        + "[200 {\"run\":1,\"key\":\"key-of-orders\"} first, 200 {\"run\":1,\"key\":\"key-of-orders\"} true, "
                        + "200 {\"run\":2,\"key\":\"none\"} first, 200 {\"run\":2,\"key\":\"none\"} true]");
    }

    private static List<String> settings(String kind) {
        return List.of(
                "--spring.main.web-application-type=" + kind,
                ProcessedProgram.WITHOUT_DATABASE,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.application.name=shop-" + UUID.randomUUID(),
                "--spring.data.redis.url=" + SharedServers.redis().uri(),
                "--idem.http.tenant=SINGLE",
                "--idem.http.routes[0].path=/refunds");
    }
}
