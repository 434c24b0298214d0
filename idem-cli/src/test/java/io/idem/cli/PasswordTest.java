package io.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.redis.RedisSettings;
import io.lettuce.core.RedisCredentials;
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

    private static RedisCredentials credentials(Map<String, String> environment) {
        RedisSettings settings = new RedisOptions().settings(environment);
        return Objects.requireNonNull(settings.topology()
                .uris()
                .get(0)
                .getCredentialsProvider()
                .resolveCredentials()
                .block());
    }
}
