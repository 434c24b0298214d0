package io.idem.workshop.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.servers.proxy.TcpProxy;
import io.idem.workshop.chaos.stage.RedisSide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a red run leaves what a real Redis did to the records of the keys concerned, and a green one nothing. */
class KeptTracesTest {

    private static final String KEY = "s1.p0-kill.rabbit-inbox.3";
    private static final String OTHER = "s1.p0-kill.rabbit-inbox.33";
    private static final String FORGOTTEN = "s1.p1-redis-loss.kafka-redis.4";
    private static final String FIRST = "first-owner-";
    private static final String SECOND = "second-owner";
    private static final String FENCE = "[1-9]\\d{15}";
    private static final String TIME = "[1-9]\\d{12}\\.\\d{3} ";

    @TempDir
    private Path output;

    private RedisSide.Single redis;
    private KeptTraces traces;

    @BeforeEach
    void start() {
        RunningRedis server = RedisServers.start(ServerOptions.own());
        redis = new RedisSide.Single(server, TcpProxy.to(server.host(), server.port()));
        traces = new KeptTraces(output, "workshop/chaos.sh --small");
    }

    @AfterEach
    void stop() {
        redis.close();
    }

    private ScriptCalls calls(String key, String scope) {
        return new ScriptCalls(redis.server(), output, key, scope);
    }

    private void failsOnceAndForGood(String key) throws IOException {
        ScriptCalls calls = calls(key, "rabbit-inbox");
        calls.acquire(FIRST);
        calls.fail(FIRST, calls.fence());
        calls.acquire(SECOND);
        calls.reject(FIRST, "7");
        calls.reject(SECOND, calls.fence());
        calls.renew(SECOND, calls.fence());
    }

    private static List<String> lost(String key) {
        return List.of("stuck: kill was not quiet in time", "lost (kill, rabbit-inbox): 1, such as [" + key + "]");
    }

    @Test
    void aRedRunLeavesWhatRedisDidToTheRecordsOfTheKeysNamed() throws Exception {
        failsOnceAndForGood(KEY);
        failsOnceAndForGood(OTHER);
        traces.take(redis);

        assertThat(traces.keep(lost(KEY))).containsExactly("traces/trace-" + KEY + "-rabbit-inbox.txt");
        assertThat(output.resolve("traces"))
                .isDirectoryNotContaining(file -> file.toString().contains(OTHER));
        String first = "66697273742d6f776e65722d";
        String second = "7365636f6e642d6f776e6572";
        assertThat(Files.readAllLines(output.resolve("traces/trace-" + KEY + "-rabbit-inbox.txt")))
                .containsSubsequence("# run workshop/chaos.sh --small", "# inbox true")
                .filteredOn(line -> !line.startsWith("#"))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .matches(TIME + "ACQUIRE " + first + " 0 FRESH false PENDING " + FENCE + " 1"),
                        line -> assertThat(line)
                                .matches(TIME + "FAIL " + first + " " + FENCE + " OK false FAILED " + FENCE + " 1"),
                        line -> assertThat(line)
                                .matches(TIME + "ACQUIRE " + second + " 0 RETRY true PENDING " + FENCE + " 2"),
                        line -> assertThat(line)
                                .matches(TIME + "REJECT " + first + " 7 LOST false PENDING " + FENCE + " 2"),
                        line -> assertThat(line)
                                .matches(
                                        TIME + "REJECT " + second + " " + FENCE + " OK false REJECTED " + FENCE + " 2"),
                        line -> assertThat(line)
                                .matches(TIME + "RENEW " + second + " " + FENCE + " ALREADYSETTLED true REJECTED "
                                        + FENCE + " 2"));
    }

    @Test
    void aGreenRunLeavesNothing() throws Exception {
        failsOnceAndForGood(KEY);
        traces.take(redis);

        assertThat(traces.keep(List.of())).isEmpty();
        assertThat(output).isDirectoryNotContaining(file -> !file.toString().endsWith(".jar"));
    }

    @Test
    void aLossIsAStepOfTheTraceWhereTheClassLosesData() throws Exception {
        for (String key : List.of(KEY, FORGOTTEN)) {
            ScriptCalls calls = calls(key, "http.chaos-intake");
            calls.acquire(FIRST);
            redis.server().command("FLUSHALL");
            calls.acquire(SECOND);
        }
        traces.take(redis);

        List<String> files = traces.keep(List.of("double (a, b): 2, such as [" + KEY + ", " + FORGOTTEN + "]"));

        assertThat(files).hasSize(2).allMatch(file -> file.endsWith("-http.chaos-intake.txt"));
        for (String file : files) {
            assertThat(Files.readString(output.resolve(file)).contains(" FAULT - 0 - false ABSENT 0 0\n"))
                    .as(file)
                    .isEqualTo(file.contains(FORGOTTEN));
            assertThat(output.resolve(file)).content().contains("# inbox false");
        }
    }

    @Test
    void theNextRunRemovesTheTracesOfTheLast() throws Exception {
        failsOnceAndForGood(KEY);
        traces.take(redis);
        assertThat(traces.keep(lost(KEY))).isNotEmpty();

        new KeptTraces(output, "workshop/chaos.sh").clear();

        assertThat(output.resolve("traces")).doesNotExist();
    }
}
