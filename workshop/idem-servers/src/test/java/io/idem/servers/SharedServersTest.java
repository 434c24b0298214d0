package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharedServersTest {

    @Test
    void everyCallerGetsTheSameServerAndTheReportNamesIt() {
        RunningRedis redis = SharedServers.redis();

        assertThat(SharedServers.redis()).isSameAs(redis);
        assertThat(SharedServers.report()).contains(redis.toString());
    }
}
