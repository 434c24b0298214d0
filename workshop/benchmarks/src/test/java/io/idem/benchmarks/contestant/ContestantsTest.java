package io.idem.benchmarks.contestant;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Outcome;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.RunningRedisCluster;
import io.idem.servers.ServerOptions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that each contestant really does the work that it is compared for. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContestantsTest {

    private static final String NAMED = "key-1";

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());

    @AfterAll
    void stop() {
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"TWO_PINGS", "TWO_SCRIPTS"},
            mode = EnumSource.Mode.EXCLUDE)
    void aNewKeyIsNotedAndItsDuplicateNotesNothing(Contestants who) {
        try (Contestant contestant = who.connect(redis.uri())) {
            contestant.fresh(NAMED);
            String noted = everything();
            contestant.duplicate(NAMED);

            assertThat(noted).isNotEqualTo("0 0");
            assertThat(everything()).isEqualTo(noted);
        }
    }

    @Test
    void theFloorOfScriptsRunsOneBeforeAndOneAfter() {
        try (Contestant scripts = Contestants.TWO_SCRIPTS.connect(redis.uri())) {
            redis.command("CONFIG", "RESETSTAT");

            assertThat(scripts.fresh(NAMED)).isEqualTo(List.of(1L, 1L));

            assertThat(redis.info("cmdstat_evalsha")).startsWith("calls=2,");
        }
    }

    @Test
    void idemRunsANewKeyAndAnswersItsDuplicate() {
        try (Contestant idem = Contestants.IDEM.connect(redis.uri())) {
            assertThat(idem.fresh(NAMED)).isInstanceOf(Outcome.Executed.class);
            assertThat(idem.duplicate(NAMED)).isInstanceOf(Outcome.Replayed.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TWO_SETS", "IDEM"})
    void aBatchNotesAllOfItsKeys(String who) {
        List<String> keys =
                IntStream.range(0, 500).mapToObj(number -> "key-" + number).toList();
        try (BatchContestant contestant = BatchContestants.connect(who, redis.uri())) {
            contestant.batch(keys);
        }
        assertThat(redis.command("DBSIZE")).isEqualTo(who.equals("IDEM") ? "500" : "1000");
    }

    @Test
    @Tag("extended")
    void aBatchReachesEveryMasterOfACluster() {
        List<String> keys =
                IntStream.range(0, 500).mapToObj(number -> "key-" + number).toList();
        try (RunningRedisCluster cluster = RedisServers.startCluster(0)) {
            List<String> places = cluster.nodes().stream()
                    .map(node -> node.host() + ":" + node.port())
                    .toList();
            try (BatchContestant sets = PipelinedSets.toCluster(places.subList(0, 1))) {
                sets.batch(keys);
            }
            assertThat(cluster.nodes().stream().map(node -> Integer.valueOf(node.command("DBSIZE"))))
                    .allMatch(noted -> noted > 200)
                    .satisfies(noted -> assertThat(
                                    noted.stream().mapToInt(Integer::intValue).sum())
                            .isEqualTo(2 * keys.size()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAsynchronousPairEnds(AsyncContestants who) {
        try (AsyncContestant contestant = who.connect(redis.uri())) {
            Object answer = contestant.pair(NAMED).toCompletableFuture().join();
            assertThat(answer).isNotNull();
        }
    }

    /** Returns all keys, and the fields of the hash in which Spring Integration keeps its entries. */
    private String everything() {
        return redis.command("DBSIZE") + " " + redis.command("HLEN", "spring-integration");
    }
}
