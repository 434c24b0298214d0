package io.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Credentials come from the environment. */
class PasswordTest {

    @Test
    void theEnvironmentsPasswordGoesWithTheUserOfTheAddressOrEnvironment() {
        RedisCredentials named =
                credentials(Map.of(RedisOptions.URL, "redis://anna:old@localhost", RedisOptions.PASSWORD, "secret"));
        assertThat(named.getUsername()).isEqualTo("anna");
        assertThat(named.getPassword()).containsExactly('s', 'e', 'c', 'r', 'e', 't');

        RedisCredentials given = credentials(Map.of(RedisOptions.USERNAME, "bert", RedisOptions.PASSWORD, "secret"));
        assertThat(given.getUsername()).isEqualTo("bert");
    }

    @Test
    void anAddressOfTheEnvironmentMayHaveItsPassword() {
        assertThat(credentials(Map.of(RedisOptions.URL, "redis://:secret@localhost"))
                        .hasPassword())
                .isTrue();
        assertThat(credentials(Map.of()).hasPassword()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://shop:s3cret%zz@localhost", "redis://shop:s3cret#1@localhost"})
    void anAddressThatIsRefusedIsNotRepeated(String url) {
        assertThatThrownBy(() -> new RedisOptions().settings(Map.of(RedisOptions.URL, url)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(RedisOptions.URL, "%23")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void sentinelsHaveAPasswordOfTheirOwn() {
        RedisURI master = address(Map.of(
                RedisOptions.URL, "redis-sentinel://:secret@one:26379,two:26379#main", RedisOptions.SENTINEL_PASSWORD, "s"));

        assertThat(master.getSentinels()).hasSize(2).allSatisfy(sentinel -> assertThat(credentials(sentinel)
                        .getPassword())
                .containsExactly('s'));
        assertThat(credentials(master).getPassword()).containsExactly('s', 'e', 'c', 'r', 'e', 't');
    }

    private static RedisURI address(Map<String, String> environment) {
        return new RedisOptions().settings(environment).topology().uris().get(0);
    }

    private static RedisCredentials credentials(Map<String, String> environment) {
        return credentials(address(environment));
    }

    private static RedisCredentials credentials(RedisURI address) {
        return Objects.requireNonNull(address.getCredentialsProvider()
                .resolveCredentials()
                .block());
    }
}
