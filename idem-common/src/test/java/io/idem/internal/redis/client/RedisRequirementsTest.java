package io.idem.internal.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.GuardAction;
import io.idem.redis.ReplicationSettings;
import io.idem.redis.ServerGuards;
import io.idem.redis.UnsuitableRedisException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class RedisRequirementsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String FILE = "aof_enabled:1\r\n";

    private final RedisRequirements requirements = requirements(ServerGuards.DEFAULTS);

    private static RedisRequirements requirements(ServerGuards guards) {
        return new RedisRequirements(guards, ReplicationSettings.NONE, () -> NOW);
    }

    private static RedisRequirements requirements(GuardAction all) {
        return requirements(new ServerGuards(all, all, all));
    }

    private static String info(String version, String policy) {
        return "# Server\r\nredis_version:" + version + "\r\n\r\n# Memory\r\nmaxmemory_policy:" + policy + "\r\n";
    }

    private static String evicted(String server, int keys) {
        return info("7.2.4", "noeviction") + FILE + "run_id:" + server + "\r\nevicted_keys:" + keys + "\r\n";
    }

    private static String at(Instant time) {
        return info("7.2.4", "noeviction") + FILE + "run_id:a\r\nserver_time_usec:" + time.toEpochMilli() + "000\r\n";
    }

    private static void assertRefused(RedisRequirements requirements, String info, String... why) {
        requirements.look(List.of(info));
        assertThat(requirements.refusal())
                .get()
                .isInstanceOf(UnsuitableRedisException.class)
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .hasMessageContainingAll(why);
    }

    private static void assertAccepted(RedisRequirements requirements, String... infos) {
        requirements.look(List.of(infos));
        assertThat(requirements.refusal()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"7.0.0", "7.0.15", "8.0.2", "10.1"})
    void aRecentServerThatEvictsNothingIsAccepted(String version) {
        assertAccepted(requirements, info(version, "noeviction"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.2.11", "5.0", "2.8.19"})
    void anOldServerIsRefused(String version) {
        assertRefused(requirements, info(version, "noeviction"), version, "7.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"allkeys-lru", "volatile-ttl", "volatile-lru", "allkeys-random"})
    void aServerThatMayEvictRecordsIsRefusedUnlessAWarningIsEnough(String policy) {
        assertRefused(requirements, info("7.0.15", policy), policy, "noeviction");
        assertAccepted(requirements(GuardAction.WARN), info("7.0.15", policy));
    }

    @Test
    void oneServerOfManyIsEnough(CapturedOutput output) {
        String good = info("7.2.4", "noeviction") + FILE;
        requirements.look(List.of(good, info("7.2.4", "allkeys-lfu") + FILE, info("7.2.4", "allkeys-lfu") + FILE));

        assertThat(requirements.refusal()).isPresent();
        assertThat(output).containsOnlyOnce("allkeys-lfu");
        assertAccepted(requirements, good, good);
    }

    @Test
    void whatLastsIsToldOnceAndWhatComesBackAgain(CapturedOutput output) {
        String good = info("7.2.4", "noeviction") + FILE;
        for (int i = 0; i < 3; i++) {
            assertRefused(requirements, info("7.2.4", "allkeys-lru") + FILE, "allkeys-lru");
        }
        assertThat(output).containsOnlyOnce("allkeys-lru").containsPattern("ERROR.*allkeys-lru");
        assertThat(output).doesNotContain("suitable again");

        assertAccepted(requirements, good);
        assertAccepted(requirements, good);
        assertThat(output).containsOnlyOnce("suitable again");
        assertRefused(requirements, info("7.2.4", "volatile-lru") + FILE, "volatile-lru");
        assertThat(output).containsPattern("ERROR.*volatile-lru");
    }

    @Test
    void anEvictingServerIsNotSaidToStopTheWorkOfAStoreBehindIt(CapturedOutput output) {
        assertRefused(requirements, info("7.2.4", "allkeys-lru") + FILE, "in front of another store", "former answers");

        assertThat(output).contains("not used for new work").doesNotContain("no new work is run");
    }

    @ParameterizedTest
    @CsvSource({"FAIL, 1", "WARN, 1", "OFF, 0"})
    void aServerThatHidesItsSettingsIsAcceptedAndWarnedAboutOnce(GuardAction action, int lines, CapturedOutput output) {
        RedisRequirements any = requirements(action);
        assertAccepted(any, "");
        assertAccepted(any, "");

        assertThat(output.getOut().lines().filter(line -> line.contains("does not tell its maxmemory-policy")))
                .hasSize(lines);
    }

    @Test
    void aServerWithoutAnAppendOnlyFileIsRefusedOnlyOnRequest(CapturedOutput output) {
        String forgetful = info("7.0.15", "noeviction") + "aof_enabled:0\r\n";
        RedisRequirements strict = requirements(new ServerGuards(GuardAction.FAIL, GuardAction.FAIL, GuardAction.WARN));

        assertAccepted(requirements, info("7.0.15", "noeviction") + FILE);
        assertAccepted(requirements, forgetful);
        assertAccepted(requirements, forgetful);
        assertThat(output).containsOnlyOnce("no append-only file");
        assertRefused(strict, forgetful, "appendonly yes");
        assertThat(strict.refusal().orElseThrow().action()).contains("set idem.redis.checks.persistence=warn");
    }

    @Test
    void confirmationByDisksNeedsAServerThatCanGiveIt() {
        RedisRequirements synced = new RedisRequirements(
                ServerGuards.DEFAULTS, new ReplicationSettings(0, true, 0, Duration.ofSeconds(1)), () -> NOW);

        assertRefused(synced, info("7.0.15", "noeviction") + FILE, "7.2");
        assertRefused(synced, info("7.2.4", "noeviction") + "aof_enabled:0\r\n", "appendonly");
        assertAccepted(synced, info("7.2.4", "noeviction") + FILE);
    }

    @Test
    void whatWasEvictedSinceTheLastLookIsCountedByServer(CapturedOutput output) {
        requirements.look(List.of(evicted("a", 100), evicted("b", 5)));
        assertThat(requirements.evictedKeys()).isZero();
        assertThat(output).doesNotContain("has evicted");

        requirements.look(List.of(evicted("a", 103), evicted("b", 5)));
        assertThat(requirements.evictedKeys()).isEqualTo(3);
        assertThat(output).containsPattern("ERROR.*has evicted 3 keys");
        assertThat(requirements.refusal()).isEmpty();

        // Restarted, or its statistics were reset.
        requirements.look(List.of(evicted("c", 50), evicted("b", 0)));
        assertThat(requirements.evictedKeys()).isEqualTo(3);
        requirements.look(List.of(evicted("c", 51), evicted("b", 2)));
        assertThat(requirements.evictedKeys()).isEqualTo(6);
        requirements.look(List.of(evicted("c", 40), evicted("b", 2)));
        assertThat(requirements.evictedKeys()).as("40 since a reset").isEqualTo(46);
    }

    @Test
    void serversThatHideTheirIdsAreNotTakenForOne(CapturedOutput output) {
        List<String> infos = List.of(evicted("a", 100), evicted("b", 5)).stream()
                .map(info -> info.replaceAll("run_id:.*\\R", ""))
                .toList();
        requirements.look(infos);
        requirements.look(infos);

        assertThat(requirements.evictedKeys()).isZero();
        assertThat(output).doesNotContain("has evicted");
    }

    @Test
    void whoAcceptsEvictionsIsOnlyCountedThem(CapturedOutput output) {
        RedisRequirements accepting = requirements(GuardAction.OFF);
        accepting.look(List.of(evicted("a", 0)));
        accepting.look(List.of(evicted("a", 7)));

        assertThat(accepting.evictedKeys()).isEqualTo(7);
        assertThat(output).doesNotContain("has evicted");
    }

    @Test
    void aClockFarFromThisMachinesIsWarnedAboutOrRefusedAsTheOperatorLikes(CapturedOutput output) {
        assertAccepted(requirements(GuardAction.OFF), at(NOW.plusSeconds(120)));
        assertThat(output).doesNotContain("apart");

        RedisRequirements warning = requirements(GuardAction.WARN);
        assertAccepted(warning, at(NOW.minusSeconds(20)));
        assertAccepted(warning, at(NOW.plusSeconds(120)));
        assertAccepted(warning, at(NOW.plusSeconds(121)));
        assertThat(output).containsOnlyOnce("30 s apart").contains("idem.redis.checks.clock=off");

        RedisRequirements strict = requirements(GuardAction.FAIL);
        assertRefused(strict, at(NOW.plusSeconds(120)), "synchronise");
        assertAccepted(strict, at(NOW.plusSeconds(20)));
    }

    @Test
    void aClockThatIsSetBackIsToldOnce(CapturedOutput output) {
        requirements.look(List.of(at(NOW)));
        requirements.look(List.of(at(NOW.minusSeconds(240))));
        requirements.look(List.of(at(NOW.minusSeconds(239))));

        assertThat(output).containsOnlyOnce("was set back by 240 s");
    }

    @Test
    void aClockThatGoesOnIsNotRemarkable(CapturedOutput output) {
        requirements.look(List.of(at(NOW)));
        requirements.look(List.of(at(NOW.minusSeconds(1))));
        requirements.look(List.of(at(NOW.plusSeconds(20))));

        assertThat(output).doesNotContain("set back");
    }
}
