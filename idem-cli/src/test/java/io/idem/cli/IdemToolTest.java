package io.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.lettuce.core.RedisURI;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tool against a Redis, and once as a process. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class IdemToolTest {

    private static final Scope PAYMENTS = new Scope("payments");

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());
    private final RedisIdempotencyStore store =
            new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(redis.uri())));
    private final RecordId record =
            new RecordId(new IdempotencyKey("north", UUID.randomUUID().toString()), PAYMENTS);

    @BeforeAll
    void announce() {
        store.announce(PAYMENTS);
    }

    @AfterAll
    void stop() {
        store.close();
        redis.close();
    }

    @Test
    void aKeyIsShownWithoutItsResult() {
        RecordId other = another();
        store.complete(lease(other), StoredResult.of("json", "secret".getBytes(StandardCharsets.UTF_8)));

        Run run = run("--json", "inspect", "--key", other.key().value());

        assertThat(run.exit()).isEqualTo(Exit.DONE);
        JsonNode shown = run.json().get("records").get(0);
        assertThat(shown.get("state").asString()).isEqualTo("completed");
        assertThat(shown.get("scope").asString()).isEqualTo("payments");
        assertThat(shown.get("keyId").asString()).isEqualTo(other.key().id());
        assertThat(shown.get("atIs").asString()).isEqualTo("settled");
        assertThat(run.json().get("keyId").asString()).isEqualTo(other.key().id());
        assertThat(run.out()).doesNotContain("secret");
    }

    @Test
    void aUuidInUpperCaseFindsTheRecordOfARequest() {
        RecordId other = another();
        Lease lease = lease(other);
        String written = other.key().value().toUpperCase(Locale.ROOT);

        assertThat(run("inspect", "--key", written).out()).contains(other.key().id());
        assertThat(run("release", "--key", written, "--scope", "payments", "--reason", "why", "--retention", "7d")
                        .exit())
                .isEqualTo(Exit.DONE);
        assertThat(store.complete(lease, StoredResult.NONE)).isInstanceOf(StoreAnswer.Lost.class);
    }

    @Test
    void theStepsOfAKeyAreShownWithoutTheirResults() {
        RecordId other = another();
        Lease lease = lease(other);
        StoredResult secret = StoredResult.of("json", "secret".getBytes(StandardCharsets.UTF_8));
        remember(lease, new RememberedStep("charge", Kind.DONE, lease.fence(), secret));
        remember(lease, new RememberedStep("label#2", Kind.DONE, lease.fence(), StoredResult.OMITTED));
        remember(lease, new RememberedStep("mail", Kind.BEGUN, lease.fence(), StoredResult.NONE));

        Run lines = run("inspect", "--key", other.key().value());
        Run document = run("--json", "inspect", "--key", other.key().value());

        assertThat(lines.out().lines())
                .filteredOn(line -> line.startsWith("  "))
                .containsExactly(
                        "  id=charge kind=done bytes=6 kept=true fence=" + lease.fence(),
                        "  id=label#2 kind=done bytes=0 kept=false fence=" + lease.fence(),
                        "  id=mail kind=begun bytes=0 kept=false fence=" + lease.fence());
        JsonNode steps = document.json().get("records").get(0).get("steps");
        assertThat(steps.findValuesAsString("id")).containsExactly("charge", "label#2", "mail");
        assertThat(steps.get(0).get("bytes").asInt()).isEqualTo(6);
        assertThat(lines.out() + document.out()).doesNotContain("secret");
    }

    private void remember(Lease lease, RememberedStep step) {
        assertThat(store.update(new RecordUpdate.Remember(lease, lease.fence(), step)))
                .isEqualTo(new StoreAnswer.Ok(StoredResult.NONE));
    }

    @Test
    void aKeyThatIsUnknownIsSaidToBeSo() {
        Run run = run("inspect", "--key", "nobody's");

        assertThat(run.exit()).isEqualTo(Exit.REFUSED);
        assertThat(run.out())
                .contains(
                        "never seen",
                        "retention is over",
                        "another namespace",
                        "idem.store=inbox",
                        "makes its keys of fields");
    }

    @Test
    void aLivingOwnersKeyIsReleasedAndItsSettleRefused() {
        RecordId other = another();
        Lease lease = lease(other);

        Run run = act("release", other);

        assertThat(run.out()).contains("found=pending", "done=true");
        assertThat(run.exit()).isEqualTo(Exit.DONE);
        assertThat(store.complete(lease, StoredResult.NONE)).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(act("complete", other).exit()).isEqualTo(Exit.DONE);
        assertThat(act("release", other).exit()).isEqualTo(Exit.REFUSED);
    }

    @Test
    void whatFailedForGoodIsOpenedAgain() {
        RecordId other = another();
        store.reject(lease(other), "no");

        assertThat(act("reopen", other).exit()).isEqualTo(Exit.DONE);
        assertThat(lease(other).attempt()).isOne();
    }

    @Test
    void recordsAreListedUntilTheCursorIsThroughAndOtherStatesLeftOut() {
        RecordId pending = another();
        RecordId failed = another();
        lease(pending);
        store.fail(lease(failed), Duration.ofHours(1));

        List<String> found = new ArrayList<>();
        String cursor = "0";
        do {
            JsonNode page =
                    run("--json", "list", "--limit", "2", "--cursor", cursor).json();
            page.get("records").forEach(entry -> found.add(entry.get("keyId").asString()));
            cursor = page.get("next").asString();
        } while (!"0".equals(cursor));

        assertThat(found)
                .contains(pending.key().id())
                .doesNotContain(failed.key().id());
    }

    @Test
    void anotherNamespaceIsAnotherWorld() {
        RecordId other = another();
        lease(other);

        assertThat(run("--namespace", "other", "inspect", "--key", other.key().value())
                        .exit())
                .isEqualTo(Exit.REFUSED);
    }

    @ParameterizedTest
    @CsvSource({"30d, 2592000", "24h, 86400", "90m, 5400", "7200s, 7200", "3600000ms, 3600", "PT24H, 86400"})
    void durationsAreWrittenAsInSettings(String duration, int seconds) {
        RecordId other = another();
        Lease lease = lease(other);

        Run run = run(
                "--timeout",
                "9s",
                "complete",
                "--key",
                other.key().value(),
                "--scope",
                "payments",
                "--reason",
                "a test",
                "--retention",
                duration);

        assertThat(run.exit()).isEqualTo(Exit.DONE);
        assertThat(store.complete(lease, StoredResult.NONE)).isInstanceOf(StoreAnswer.Lost.class);
        String left =
                redis.command("PTTL", redis.command("KEYS", "*" + other.key().id() + "*"));
        assertThat(Long.parseLong(left) / 1000).isBetween(seconds - 600L, (long) seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"86400", "1 day", "-", "999999999999999d"})
    void aDurationThatIsNoneIsRefused(String duration) {
        assertThat(run("--timeout", duration, "inspect", "--key", "k").exit()).isEqualTo(Exit.USAGE);
    }

    @Test
    void whatCannotBeUsedIsRefused() {
        assertThat(run("release", "--key", "k", "--scope", "payments", "--retention", "7d")
                        .exit())
                .isEqualTo(Exit.USAGE);
        for (String act : List.of("release", "complete", "reopen")) {
            assertThat(run(act, "--key", "k", "--scope", "payments", "--reason", "why")
                            .exit())
                    .as("without --retention")
                    .isEqualTo(Exit.USAGE);
        }
        assertThat(run("release", "--key", "k", "--scope", "payments", "--reason", " ", "--retention", "7d")
                        .exit())
                .isEqualTo(Exit.USAGE);
        assertThat(run("list", "--cursor", "x").exit()).isEqualTo(Exit.USAGE);
        assertThat(run("list", "--limit", "0").exit()).isEqualTo(Exit.USAGE);
        assertThat(run("inspect", "--key", "").exit()).isEqualTo(Exit.USAGE);
        assertThat(run("--redis", "redis://:secret@127.0.0.1:1", "inspect", "--key", "k")
                        .exit())
                .isEqualTo(Exit.USAGE);
    }

    @Test
    void aRecordThatCannotBeReadIsNotCalledAbsent() {
        RecordId other = another();
        lease(other);
        redis.command("SET", "idem:{" + other.key().id() + "}:payments", "of a newer version");

        assertThat(run("inspect", "--key", other.key().value()).exit()).isEqualTo(Exit.UNAVAILABLE);
    }

    @Test
    void aRedisThatIsAwayHasAnExitCodeOfItsOwn() {
        assertThat(run("--redis", "redis://127.0.0.1:1", "inspect", "--key", "k")
                        .exit())
                .isEqualTo(Exit.UNAVAILABLE);
    }

    @Test
    void asAProcessItAnswersOnTheStandardOutputAndAuditsOnTheStandardError() throws Exception {
        lease(record);
        Process tool = process(
                "--json",
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

        String out = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(tool.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(tool.waitFor()).as(err).isEqualTo(Exit.DONE);
        assertThat(JsonMapper.shared().readTree(out).get("done").asBoolean()).isTrue();
        assertThat(err).contains("idem.audit", record.toString(), "anna", "ticket 7");
    }

    private Process process(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                IdemTool.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put(RedisOptions.URL, redis.uri());
        return builder.start();
    }

    private Run act(String action, RecordId of) {
        String scope = of.scope().name();
        return run(
                action, "--key", of.key().value(), "--scope", scope, "--reason", "a test", "--retention", "24h");
    }

    private Run run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int exit = IdemTool.run(
                arguments, Map.of(RedisOptions.URL, redis.uri()), new PrintStream(out, true, StandardCharsets.UTF_8));
        return new Run(exit, out.toString(StandardCharsets.UTF_8));
    }

    private static RecordId another() {
        return new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), PAYMENTS);
    }

    private Lease lease(RecordId of) {
        Claim claim = store.acquire(new AcquireRequest(
                of,
                OwnerToken.random(new SecureRandom()),
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0));
        return ((Claim.Granted) claim).lease();
    }

    private record Run(int exit, String out) {

        JsonNode json() {
            return JsonMapper.shared().readTree(out);
        }
    }
}
