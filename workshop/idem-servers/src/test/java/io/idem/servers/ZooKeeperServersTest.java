package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ZooKeeperServersTest {

    @Test
    void aKilledServerServesAgainAtTheSameAddress() {
        try (RunningZooKeeper server = ZooKeeperServers.start()) {
            assertThat(server.mode()).contains("standalone");
            server.kill();
            assertThat(server.mode()).isEmpty();

            server.start();
            server.awaitService();

            assertThat(server.mode()).contains("standalone");
        }
    }

    @Test
    @Tag("extended")
    void anEnsembleElectsAnotherLeaderWhenItsLeaderIsKilled() {
        try (ZooKeeperEnsemble ensemble = ZooKeeperServers.ensemble(3)) {
            RunningZooKeeper first = ensemble.leader().orElseThrow();

            first.kill();

            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(ensemble.leader()).isPresent());
            assertThat(ensemble.leader()).isNotEqualTo(Optional.of(first));
        }
    }
}
