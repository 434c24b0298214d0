package io.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.servers.tls.Certificates;
import io.idem.servers.tls.TlsFront;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program as operators get it, one jar with all that it needs, against a Redis with a password. Run once the jar is there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(named = ProgramIT.PROGRAM, matches = ".+", disabledReason = "the jar is not there yet")
class ProgramIT {

    /** Where the jar is. */
    static final String PROGRAM = "idem.program";

    private static final String SECRET = "secret-of-a-test";
    private static final Scope PAYMENTS = new Scope("payments");
    private static final Map<String, String> WITH_PASSWORD = Map.of(RedisOptions.PASSWORD, SECRET);

    private final RunningRedis redis = RedisServers.start(ServerOptions.own().with("requirepass", SECRET));
    private final RedisIdempotencyStore store =
            new RedisIdempotencyStore(RedisSettings.of(RedisURI.Builder.redis(redis.host(), redis.port())
                            .withPassword(SECRET.toCharArray())
                            .build())
                    .withCommandTimeout(Duration.ofSeconds(20)));
    private final RecordId record =
            new RecordId(new IdempotencyKey("north", UUID.randomUUID().toString()), PAYMENTS);
    private final String[] inspect = {
        "--json", "inspect", "--tenant", "north", "--key", record.key().value()
    };

    @BeforeAll
    void acquire() {
        store.announce(PAYMENTS);
        var unused = store.acquire(new AcquireRequest(
                record,
                OwnerToken.random(new SecureRandom()),
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0));
    }

    @AfterAll
    void stop() {
        store.close();
        redis.close();
    }

    @Test
    void aRecordIsListedReleasedAndLookedAt() throws Exception {
        assertThat(run(WITH_PASSWORD, "", "list", "--state", "PENDING").out())
                .contains("keyId=" + record.key().id(), "# next=0");

        Run release = run(
                WITH_PASSWORD,
                "",
                "release",
                "--tenant",
                "north",
                "--key",
                record.key().value(),
                "--scope",
                "payments",
                "--reason",
                "ticket 7",
                "--retention",
                "24h",
                "--operator",
                "anna");
        assertThat(release.exit()).as(release.err()).isEqualTo(Exit.DONE);
        assertThat(release.err()).contains("idem.audit", "anna", "ticket 7");

        assertThat(state(run(WITH_PASSWORD, "", inspect))).isEqualTo("failed");
    }

    @Test
    @Tag("extended")
    void thePasswordIsAskedForWhereThatIsWanted() throws Exception {
        String[] asking = new String[inspect.length + 1];
        asking[0] = "--password";
        System.arraycopy(inspect, 0, asking, 1, inspect.length);

        Run run = run(Map.of(), SECRET + "\n", asking);

        assertThat(run.exit()).as(run.err()).isEqualTo(Exit.DONE);
        assertThat(run.out() + run.err()).contains(record.key().id()).doesNotContain(SECRET);
    }

    @Test
    @Tag("extended")
    void aWrongPasswordIsRefusedAndNotShown() throws Exception {
        Run run = run(Map.of(RedisOptions.PASSWORD, "another-secret"), "", inspect);

        assertThat(run.exit()).isEqualTo(Exit.UNAVAILABLE);
        assertThat(run.out() + run.err()).doesNotContain("another-secret");
    }

    @Test
    @Tag("extended")
    void tlsIsSpokenWithAServerThatIsTrustedAndNoOther(@TempDir Path folder) throws Exception {
        Certificates certificates = new Certificates(folder);
        Path here = certificates.identity("here", "ip:127.0.0.1,dns:localhost");
        Path other = certificates.identity("other", "dns:localhost");
        try (TlsFront front = new TlsFront(Certificates.server(here), false, redis.host(), redis.port())) {
            assertThat(overTls(front, certificates.certificatePem(here)).exit()).isEqualTo(Exit.DONE);
            assertThat(overTls(front, certificates.certificatePem(other)).exit())
                    .isEqualTo(Exit.UNAVAILABLE);
        }
    }

    private Run overTls(TlsFront front, Path trusted) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("--redis", "rediss://localhost:" + front.port(), "--ca", trusted.toString()));
        arguments.addAll(List.of(inspect));
        return run(WITH_PASSWORD, "", arguments.toArray(String[]::new));
    }

    private Run run(Map<String, String> environment, String typed, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                System.getProperty(PROGRAM)));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put(RedisOptions.URL, "redis://" + redis.host() + ":" + redis.port());
        builder.environment().putAll(environment);
        Process program = builder.start();
        try (var input = program.outputWriter(StandardCharsets.UTF_8)) {
            input.write(typed);
        }
        String out = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(program.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(program.waitFor(), out, err);
    }

    private static String state(Run run) {
        JsonNode document = JsonMapper.shared().readTree(run.out());
        return document.get("records").get(0).get("state").asString();
    }

    private record Run(int exit, String out, String err) {}
}
