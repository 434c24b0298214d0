package io.idem.internal.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.GuardAction;
import io.idem.redis.ReplicationSettings;
import io.idem.redis.ServerGuards;
import io.idem.redis.UnsuitableRedisException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisRequirementsTest {

    private final RedisRequirements requirements = new RedisRequirements(ServerGuards.DEFAULTS);

    private static String info(String version, String policy) {
        return "# Server\r\nredis_version:" + version + "\r\n\r\n# Memory\r\nmaxmemory_policy:" + policy + "\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"7.0.0", "7.0.15", "8.0.2", "10.1"})
    void aRecentServerThatEvictsNothingIsAccepted(String version) {
        assertThatCode(() -> requirements.check(info(version, "noeviction"))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.2.11", "5.0", "2.8.19"})
    void anOldServerIsRefused(String version) {
        assertThatThrownBy(() -> requirements.check(info(version, "noeviction")))
                .isInstanceOf(UnsuitableRedisException.class)
                .hasMessageContainingAll(version, "7.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"allkeys-lru", "volatile-ttl", "volatile-lru", "allkeys-random"})
    void aServerThatMayEvictRecordsIsRefusedUnlessAWarningIsEnough(String policy) {
        assertThatThrownBy(() -> requirements.check(info("7.0.15", policy)))
                .isInstanceOf(UnsuitableRedisException.class)
                .hasMessageContainingAll(policy, "noeviction");
        assertThatCode(() -> new RedisRequirements(
                                new ServerGuards(GuardAction.WARN, GuardAction.WARN, GuardAction.WARN))
                        .check(info("7.0.15", policy)))
                .doesNotThrowAnyException();
    }

    @Test
    void aServerThatHidesItsSettingsIsAccepted() {
        assertThatCode(() -> requirements.check("")).doesNotThrowAnyException();
    }

    @Test
    void aServerWithoutAnAppendOnlyFileIsRefusedOnlyOnRequest() {
        String forgetful = info("7.0.15", "noeviction") + "aof_enabled:0\r\n";
        ServerGuards strict = new ServerGuards(GuardAction.FAIL, GuardAction.FAIL, GuardAction.WARN);

        assertThatCode(() -> requirements.check(forgetful)).doesNotThrowAnyException();
        assertThatThrownBy(() -> new RedisRequirements(strict).check(forgetful))
                .isInstanceOfSatisfying(
                        UnsuitableRedisException.class,
                        refused -> assertThat(refused.setting()).contains("idem.redis.checks.persistence"))
                .hasMessageContaining("appendonly yes");
    }

    @Test
    void confirmationByDisksNeedsAServerThatCanGiveIt() {
        RedisRequirements synced = new RedisRequirements(
                ServerGuards.DEFAULTS, new ReplicationSettings(0, true, 0, Duration.ofSeconds(1)));

        assertThatThrownBy(() -> synced.check(info("7.0.15", "noeviction") + "aof_enabled:1\r\n"))
                .isInstanceOf(UnsuitableRedisException.class)
                .hasMessageContaining("7.2");
        assertThatThrownBy(() -> synced.check(info("7.2.4", "noeviction") + "aof_enabled:0\r\n"))
                .isInstanceOf(UnsuitableRedisException.class)
                .hasMessageContaining("appendonly");
        assertThatCode(() -> synced.check(info("7.2.4", "noeviction") + "aof_enabled:1\r\n"))
                .doesNotThrowAnyException();
    }
}
