package io.idem.test.redis;

import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.keyOf;
import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.redis.ReplicationSettings;
import io.idem.redis.ServerGuards;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.servers.proxy.TcpProxy;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rows of the table of errors in {@code docs/redis.md} that {@link BrokenRedisTest} and {@link BrokenNetworkTest} do not
 * show: errors at the door, and errors that need a server started for them.
 */
@Tag("servers")
class RedisErrorsTest {

    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final RecordId record = someRecord();

    private static AbstractThrowableAssert<?, ?> assertUnavailable(Execution execution, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unavailable -> assertThat(unavailable.execution()).isEqualTo(execution));
    }

    private static RedisIdempotencyStore store(RedisURI uri) {
        return new RedisIdempotencyStore(RedisSettings.of(uri).withCommandTimeout(TIMEOUT));
    }

    private static void with(RunningRedis server, Consumer<RedisCommands<String, String>> work) {
        try (RedisClient client = RedisClient.create(server.uri())) {
            work.accept(client.connect().sync());
        }
    }

    /** A server that hangs up quickly is not always heard out: then the next attempt tells. */
    private void assertRefused(RedisURI uri, String said) {
        await().untilAsserted(() -> assertNotExecuted(uri, said));
    }

    private void assertNotExecuted(RedisURI uri, String... said) {
        try (IdempotencyStore store = store(uri)) {
            assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record)))
                    .hasMessageContainingAll(said);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TRYAGAIN Multiple keys request during rehashing of slot | moving the record",
                "MOVED 3999 127.0.0.1:6381 | do not agree who serves the slot",
                "ASK 3999 127.0.0.1:6381 | name the cluster's nodes instead",
                "ERR unknown command 'EVALSHA', with args beginning with: | has no such command",
            })
    void anErrorOfAnotherServerMeansThatNothingWasExecuted(String error, String meaning) {
        try (FakeRedis fake = FakeRedis.refusing(error)) {
            assertNotExecuted(fake.uri(), error, meaning);
        }
    }

    @Test
    void anErrorThatNobodyKnowsMayComeAfterTheWrite() {
        try (FakeRedis fake = FakeRedis.refusing("ERR something new");
                IdempotencyStore store = store(fake.uri())) {
            assertUnavailable(Execution.UNKNOWN, () -> store.acquire(request(record)))
                    .hasMessageContaining("something new");
        }
    }

    @ParameterizedTest
    @CsvSource({"*2 :7 :7", "*4 :7 :7 :7 :7", "*0", "$-1", "*3 :7 *0 :7"})
    void anAnswerWithRepliesToOtherRecordsThanThoseOfTheBatchEndsAllOfThem(String answer) {
        List<AcquireRequest> three = List.of(request(someRecord()), request(someRecord()), request(someRecord()));
        try (FakeRedis fake = FakeRedis.answering(answer.split(" "));
                IdempotencyStore store = store(fake.uri())) {
            for (CompletionStage<Claim> claim : store.acquire(three)) {
                assertThat(claim.toCompletableFuture())
                        .failsWithin(PATIENCE)
                        .withThrowableOfType(ExecutionException.class)
                        .havingCause()
                        .isInstanceOfSatisfying(
                                StoreUnavailableException.class,
                                unavailable ->
                                        assertThat(unavailable.execution()).isEqualTo(Execution.UNKNOWN))
                        .withMessageContaining("cannot be read");
            }
        }
    }

    @Test
    void aReplicaThatHasLostItsMasterExecutesNothing() {
        try (RunningRedis server = RedisServers.start(ServerOptions.own().with("replica-serve-stale-data", "no"));
                IdempotencyStore store = store(RedisURI.create(server.uri()))) {
            lease(store, someRecord());
            with(server, redis -> redis.replicaof("127.0.0.1", 1));

            assertUnavailable(Execution.NOT_EXECUTED, () -> store.inspect(record))
                    .hasMessageContaining("MASTERDOWN");
        }
    }

    @Test
    void aClusterWithoutTheRecordsSlotExecutesNothing() {
        try (RunningRedis server = RedisServers.start(ServerOptions.own().with("cluster-enabled", "yes"))) {
            assertNotExecuted(RedisURI.create(server.uri()), "CLUSTERDOWN");
        }
    }

    @Test
    void aRedisThatCannotSaveExecutesNothing() throws IOException {
        try (RunningRedis server = RedisServers.start(ServerOptions.own().with("save", "3600 1"));
                IdempotencyStore store = store(RedisURI.create(server.uri()))) {
            lease(store, someRecord());
            with(server, RedisErrorsTest::breakSaving);

            assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record)))
                    .hasMessageContainingAll("MISCONF", "cannot save");
            assertThat(store.inspect(record)).isEmpty();
        }
    }

    /** A directory in the place of its file. */
    private static void breakSaving(RedisCommands<String, String> redis) {
        try {
            Files.createDirectories(Path.of(redis.configGet("dir").get("dir"), "dump.rdb", "full"));
        } catch (IOException noDirectory) {
            throw new UncheckedIOException(noDirectory);
        }
        redis.bgsave();
        await().until(() -> redis.info("persistence").contains("rdb_last_bgsave_status:err"));
    }

    @Test
    void aRedisThatIsLoadingItsDataExecutesNothing() {
        ServerOptions slowLoading = ServerOptions.own()
                .with("loading-process-events-interval-bytes", "1024")
                .with("key-load-delay", "30000");
        try (RunningRedis server = RedisServers.start(slowLoading);
                IdempotencyStore store = store(RedisURI.create(server.uri()))) {
            lease(store, someRecord());
            with(server, RedisErrorsTest::saveMuch);
            server.kill();
            CompletableFuture<Void> restart = CompletableFuture.runAsync(server::start);

            await().untilAsserted(() -> assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record)))
                    .hasMessageContainingAll("LOADING", "loading its data"));
            with(server, redis -> redis.configSet("key-load-delay", "0"));
            restart.join();
            assertThat(granted(store.acquire(request(record))).lease().attempt())
                    .isOne();
        }
    }

    private static void saveMuch(RedisCommands<String, String> redis) {
        for (int i = 0; i < 300; i++) {
            redis.set("filler-" + i, Integer.toString(i).repeat(4096));
        }
        redis.save();
    }

    @Test
    void aRedisThatAsksForAPasswordExecutesNothing() {
        try (RunningRedis server = RedisServers.start(ServerOptions.own().with("requirepass", "secret"))) {
            assertRefused(RedisURI.create(server.host(), server.port()), "NOAUTH");
        }
    }

    @Test
    void aRedisThatRefusesThePasswordExecutesNothing() {
        try (RunningRedis server = RedisServers.start(ServerOptions.own().with("requirepass", "secret"))) {
            RedisURI uri = RedisURI.builder()
                    .withHost(server.host())
                    .withPort(server.port())
                    .withPassword("guessed".toCharArray())
                    .build();

            assertRefused(uri, "WRONGPASS");
            assertThatThrownBy(() -> store(uri).acquire(request(record))).hasMessageNotContaining("guessed");
        }
    }

    @Test
    void aRedisWithTooManyClientsExecutesNothing() {
        try (RunningRedis server = RedisServers.start(ServerOptions.own());
                RedisClient other = RedisClient.create(server.uri())) {
            other.connect().sync().configSet("maxclients", "1");

            // Redis says why and hangs up; the client may notice either first.
            assertNotExecuted(RedisURI.create(server.uri()), "cannot be used");
        }
    }

    @Test
    void aCallThatFindsTheQueueFullIsNotSent() {
        try (RunningRedis server = RedisServers.start(ServerOptions.own());
                RedisIdempotencyStore store = new RedisIdempotencyStore(new RedisSettings(
                        RedisTopology.of(RedisURI.create(server.uri())),
                        SslOptions.create(),
                        TIMEOUT,
                        1,
                        ServerGuards.DEFAULTS,
                        RedisSettings.DEFAULT_NAMESPACE,
                        ReplicationSettings.NONE))) {
            lease(store, someRecord());
            server.freeze();
            CompletableFuture<Void> first = CompletableFuture.runAsync(() -> store.acquire(request(someRecord())));

            await().untilAsserted(() -> assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record)))
                    .hasMessageContaining("queue"));
            server.thaw();
            await().until(first::isDone);
            assertThat(store.inspect(record)).isEmpty();
        }
    }

    @Test
    void aRequestThatTheNetworkLosesIsUnknownAndRunsWhenRepeated() {
        try (RunningRedis server = RedisServers.start(ServerOptions.own());
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                IdempotencyStore store = store(RedisURI.create(proxy.host(), proxy.port()))) {
            lease(store, someRecord());
            CompletableFuture<Void> cut = proxy.loseRequest(keyOf(record));
            AcquireRequest request = request(record);

            assertUnavailable(Execution.UNKNOWN, () -> store.acquire(request));

            assertThat(cut).isCompleted();
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(
                                    granted(store.acquire(request)).lease().attempt())
                            .isOne());
            assertThat(store.inspect(record).orElseThrow().state()).isEqualTo(RecordState.PENDING);
        }
    }

    @Test
    void everyTestThatTheTableOfErrorsNamesExists() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "redis.md"), StandardCharsets.UTF_8);
        String errors = page.substring(page.indexOf("## Errors"), page.indexOf("## ACL"));

        assertThat(ErrorTable.testsIn(errors))
                .hasSizeGreaterThan(20)
                .allSatisfy(test -> assertThat(ErrorTable.testsOf(
                                RedisErrorsTest.class,
                                BrokenRedisTest.class,
                                BrokenNetworkTest.class,
                                ForeignValuesTest.class,
                                AclTest.class))
                        .contains(test));
    }
}
