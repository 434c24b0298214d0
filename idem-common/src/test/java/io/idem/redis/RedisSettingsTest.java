package io.idem.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import org.junit.jupiter.api.Test;

class RedisSettingsTest {

    @Test
    void aQueueThatHoldsNoCommandIsRefused() {
        assertThatThrownBy(() -> withQueueOf(0, ReplicationSettings.NONE)).hasMessageContaining("requestQueueSize 0");
    }

    @Test
    void aQueueThatHoldsNoGatedWriteIsRefused() {
        assertThatThrownBy(() -> withQueueOf(3, ReplicationSettings.to(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("requestQueueSize 3", "confirmation");
    }

    private static RedisSettings withQueueOf(int commands, ReplicationSettings replication) {
        return new RedisSettings(
                RedisTopology.of(RedisURI.create("redis://localhost")),
                SslOptions.create(),
                RedisSettings.DEFAULT_COMMAND_TIMEOUT,
                commands,
                ServerGuards.DEFAULTS,
                RedisSettings.DEFAULT_NAMESPACE,
                replication);
    }
}
