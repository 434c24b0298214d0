package io.idem.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.report.Figure;
import io.idem.benchmarks.report.Figures;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Runs every part at its smallest size; no figure that depends on the speed of the machine is looked at. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WaysTest {

    private static final PairPlan SMALLEST = new PairPlan(Duration.ZERO, Duration.ofMillis(20), 1);
    private static final int ROWS = 2_000;

    private final Servers servers = new Servers();
    private final Figures figures = new Figures();

    @AfterAll
    void stopServers() {
        servers.close();
    }

    @Test
    void theInboxIsMeasuredBesideTheHandWrittenRow() throws Exception {
        measure(Ways.inbox(servers, SMALLEST), List.of(new RedisAndInbox(0), new RedisAndInbox(Results.BYTES)));

        assertCounts(new RedisAndInbox(0).control(), 1, 3, 2);
        assertCounts(new RedisAndInbox(Results.BYTES).control(), 1, 4, 3);
        assertCounts(new RedisAndInbox(0).name(), 1, 3, 0);
        assertCounts(new RedisAndInbox(Results.BYTES).name(), 1, 4, 0);
    }

    @Test
    void theInboxAloneIsMeasuredBesideTheHandWrittenRow() throws Exception {
        measure(Ways.inboxAlone(servers, SMALLEST), List.of(new InboxAlone(0), new InboxAlone(Results.BYTES)));

        assertCounts(new InboxAlone(0).control(), 1, 3, 2);
        assertCounts(new InboxAlone(Results.BYTES).control(), 1, 4, 3);
        assertCounts(new InboxAlone(0).name(), 1, 3, 3);
        assertCounts(new InboxAlone(Results.BYTES).name(), 1, 4, 3);
    }

    @Test
    void thePostgresStoreIsMeasuredWithAndWithoutInbox() throws Exception {
        measure(Ways.postgresql(servers, SMALLEST), List.of(new PostgresStore(false), new PostgresStore(true)));

        assertCounts(Comparison.ROW, 1, 3, 2);
        assertCounts(new PostgresStore(false).name(), 3, 3, 2);
        assertCounts(new PostgresStore(true).name(), 3, 5, 2);
        assertThat(exactly(new WayFigures(new PostgresStore(false).name()).hot()))
                .isBetween(0.0, 100.0);
    }

    @Test
    @Tag("extended")
    void theZooKeeperStoreIsMeasuredBesideRedis() throws Exception {
        measure(Ways.zooKeeper(servers, SMALLEST), List.of(new ZooKeeperStore()));
    }

    @Test
    void stepsAreMeasuredBesideCallsThatAreRememberedByHand() throws Exception {
        measure(
                Ways.steps(servers, SMALLEST),
                List.of(new StepsOnRedis(), new StepsBeforeRow(false), new StepsBeforeRow(true)));
    }

    @Test
    @Tag("extended")
    void theOutboxIsMeasuredBesideAPoller() throws Exception {
        measure(Ways.outbox(servers, SMALLEST), List.of(new OutboxComparison()));
    }

    @Test
    @Tag("extended")
    void theIntakeIsMeasuredBesideABareController() throws Exception {
        measure(Ways.intake(servers, SMALLEST), List.of(new IntakeComparison()));
    }

    @Test
    @Tag("extended")
    void everyPeerIsMeasured() throws Exception {
        measure(Ways.peers(servers, SMALLEST), Peer.all());
    }

    @Test
    @Tag("extended")
    void theGrowthOfTheInboxIsMeasured() throws Exception {
        new ClaimGrowth(SMALLEST, ROWS).round(figures, new Random(1));

        assertThat(exactly("rows of the larger inbox")).isEqualTo(ROWS);
    }

    private void measure(Suite suite, List<Comparison> comparisons) throws Exception {
        suite.round(figures, new Random(1));

        assertThat(comparisons).allSatisfy(comparison -> {
            WayFigures names = new WayFigures(comparison.name());
            assertThat(List.of(names.rate(), names.lowerQuartile(), names.upperQuartile()))
                    .allSatisfy(name -> assertThat(exactly(name)).isPositive());
            // Processor time is counted in ticks, and so few messages may take less than one.
            assertThat(exactly(names.cpu())).isNotNegative();
            assertThat(exactly(new WayFigures(comparison.control()).messages())).isPositive();
        });
    }

    private void assertCounts(String way, double commits, double roundTrips, double roundTripsOfADuplicate) {
        WayFigures names = new WayFigures(way);
        assertThat(List.of(exactly(names.commits()), exactly(names.roundTrips()), exactly(names.duplicate())))
                .as("commits and round trips of a message, round trips of a duplicate: %s", way)
                .containsExactly(commits, roundTrips, roundTripsOfADuplicate);
    }

    private double exactly(String name) {
        return figures.of(name).map(Figure::median).orElseThrow(() -> new AssertionError("No figure " + name));
    }
}
