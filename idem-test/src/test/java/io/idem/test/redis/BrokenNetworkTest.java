package io.idem.test.redis;

import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.keyOf;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.ExecutionPolicy;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.servers.proxy.TcpProxy;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A network that cuts, refuses or swallows what goes to Redis. */
@Tag("servers")
class BrokenNetworkTest {

    private static final StoredResult RECEIPT = StoredResult.of("json", new byte[] {1, 2, 3});
    private static final Duration BUDGET = Duration.ofSeconds(30);

    private final RedisStoreHarness harness = new RedisStoreHarness();
    private final TcpProxy proxy =
            TcpProxy.to(harness.server().host(), harness.server().port());
    private final RedisIdempotencyStore bare =
            new RedisIdempotencyStore(RedisSettings.of(RedisURI.create("redis://" + proxy.host() + ":" + proxy.port()))
                    .withCommandTimeout(Duration.ofMillis(500)));
    private final IdempotencyStore retrying = new RetryingIdempotencyStore(bare, RetrySettings.within(BUDGET));
    private final RecordId record = someRecord();

    @AfterEach
    void stop() {
        retrying.close();
        proxy.close();
        harness.stop();
    }

    private long scriptCalls() {
        Matcher calls = Pattern.compile("cmdstat_(evalsha|eval):calls=(\\d+)")
                .matcher(harness.redis().info("commandstats"));
        return calls.results().mapToLong(call -> Long.parseLong(call.group(2))).sum();
    }

    private RecordSnapshot snapshot() {
        return harness.store().inspect(record).orElseThrow();
    }

    private Lease warmLease() {
        retrying.acquire(request(someRecord()));
        return granted(retrying.acquire(request(record))).lease();
    }

    @Test
    void aScriptWhoseReplyIsCutIsNotReplayedByTheClient() {
        bare.acquire(request(someRecord()));
        long before = scriptCalls();
        CompletableFuture<Void> cut = proxy.loseReplyTo(keyOf(record));

        assertUnknown(() -> bare.acquire(request(record)));

        assertThat(cut).isCompleted();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(bare.inspect(record)).isPresent());
        assertThat(scriptCalls() - before).isOne();
        assertThat(snapshot().attempts()).isOne();
    }

    private static void assertUnknown(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unavailable -> assertThat(unavailable.execution()).isEqualTo(Execution.UNKNOWN));
    }

    @Test
    void anAcquireWhoseReplyIsCutIsOneGrantAndOneAttempt() {
        retrying.acquire(request(someRecord()));
        CompletableFuture<Void> cut = proxy.loseReplyTo(keyOf(record));

        Claim.Granted granted = granted(retrying.acquire(request(record)));

        assertThat(cut).isCompleted();
        assertThat(granted.kind()).isEqualTo(GrantKind.REENTRANT);
        assertThat(granted.lease().attempt()).isOne();
        assertThat(snapshot().attempts()).isOne();
        assertThat(snapshot().fence()).isEqualTo(granted.lease().fence());
    }

    @Test
    void aCompletionWhoseReplyIsCutIsCompletedOnce() {
        Lease lease = warmLease();
        CompletableFuture<Void> cut = proxy.loseReplyTo(keyOf(record));

        assertThat(retrying.complete(lease, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));

        assertThat(cut).isCompleted();
        assertThat(snapshot().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aFailureWhoseReplyIsCutGivesBackOnce() {
        Lease lease = warmLease();
        CompletableFuture<Void> cut = proxy.loseReplyTo(keyOf(record));

        assertThat(retrying.fail(lease, Duration.ZERO)).isInstanceOf(StoreAnswer.Ok.class);

        assertThat(cut).isCompleted();
        assertThat(snapshot().state()).isEqualTo(RecordState.FAILED);
        assertThat(snapshot().attempts()).isOne();
    }

    @Test
    void aRejectionWhoseReplyIsCutRejectsOnce() {
        Lease lease = warmLease();
        CompletableFuture<Void> cut = proxy.loseReplyTo(keyOf(record));

        assertThat(retrying.reject(lease, "no")).isInstanceOf(StoreAnswer.Ok.class);

        assertThat(cut).isCompleted();
        assertThat(snapshot().reason()).isEqualTo("no");
    }

    @Test
    void aReopeningWhoseReplyIsCutReopensOnce() {
        Lease lease = warmLease();
        retrying.complete(lease, RECEIPT);
        CompletableFuture<Void> cut = proxy.loseReplyTo(keyOf(record));

        assertThat(retrying.reopen(record, lease.fence(), Duration.ofHours(1))).isInstanceOf(StoreAnswer.Ok.class);

        assertThat(cut).isCompleted();
        assertThat(snapshot().attempts()).isZero();
    }

    @Test
    void aRenewalWhoseReplyIsCutMayBeSentAgain() {
        Lease lease = warmLease();
        CompletableFuture<Void> cut = proxy.loseReplyTo(keyOf(record));
        assertUnknown(() -> retrying.renew(lease));
        assertThat(cut).isCompleted();

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(retrying.renew(lease)).isInstanceOf(StoreAnswer.Ok.class));
    }

    @Test
    void aBatchWhoseReplyIsCutIsOneGrantAndOneAttemptEach() {
        warmLease();
        List<AcquireRequest> requests = Stream.generate(Acquires::someRecord)
                .limit(20)
                .map(Acquires::request)
                .toList();
        CompletableFuture<Void> cut = proxy.loseReplyTo(keyOf(requests.get(7).record()));

        List<Claim.Granted> granted = retrying.acquire(requests).stream()
                .map(claim -> granted(claim.toCompletableFuture().join()))
                .toList();

        assertThat(cut).isCompleted();
        assertThat(granted).extracting(Claim.Granted::kind).containsOnly(GrantKind.REENTRANT);
        assertThat(granted).extracting(claim -> claim.lease().attempt()).containsOnly(1);
        assertThat(requests)
                .allSatisfy(request -> assertThat(harness.store()
                                .inspect(request.record())
                                .orElseThrow()
                                .attempts())
                        .isOne());
    }

    @Test
    void asynchronousWorkWhoseCompletionIsCutIsRecordedOnce() {
        IdempotentExecutor executor = IdempotentExecutor.on(retrying).build();
        List<CompletableFuture<Void>> cuts = new ArrayList<>();
        retrying.acquire(request(someRecord()));

        Outcome<String> outcome = executor.async(Runnable::run)
                .<String>execute(Operation.of(record.key(), record.scope(), ExecutionPolicy.defaults()), context -> {
                    cuts.add(proxy.loseReplyTo(keyOf(record)));
                    return CompletableFuture.completedStage(new WorkResult.Complete<>("done", RECEIPT));
                })
                .toCompletableFuture()
                .join();
        executor.close();

        assertThat(cuts).singleElement().satisfies(cut -> assertThat(cut).isCompleted());
        assertThat(outcome).isEqualTo(new Outcome.Executed<>("done", RECEIPT));
        assertThat(snapshot().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(snapshot().attempts()).isOne();
    }

    @Test
    void connectingKeepsNoAsynchronousCallerWaiting() {
        proxy.blackHole();

        CompletionStage<Claim> claim = bare.acquire(List.of(request(record))).get(0);

        assertThat(claim.toCompletableFuture()).as("when the call returned").isNotDone();
        assertThatThrownBy(() -> claim.toCompletableFuture().join())
                .cause()
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unavailable -> assertThat(unavailable.execution()).isEqualTo(Execution.NOT_EXECUTED));
    }

    @Test
    void aNetworkThatComesBackWithinTheBudgetIsNotNoticed() {
        retrying.acquire(request(someRecord()));
        proxy.refuse();
        CompletableFuture<Claim> claim = CompletableFuture.supplyAsync(() -> retrying.acquire(request(record)));
        await().during(Duration.ofMillis(300)).until(() -> !claim.isDone());
        proxy.pass();

        await().until(claim::isDone);
        assertThat(granted(claim.join()).lease().attempt()).isOne();
    }

    private RedisIdempotencyStore storeWithTimeout(Duration timeout) {
        return new RedisIdempotencyStore(
                RedisSettings.of(RedisURI.create(proxy.host(), proxy.port())).withCommandTimeout(timeout));
    }

    /** Within less than the three timeouts that a default budget has. */
    @ParameterizedTest
    @ValueSource(longs = {3_000, 0})
    @Tag("extended")
    void aConnectionThatAFirewallForgotIsReplacedWithinTheBudgetOfACall(long idleMillis) {
        Duration timeout = Duration.ofSeconds(2);
        RetrySettings budget = RetrySettings.within(timeout.multipliedBy(3).minusMillis(100));
        try (IdempotencyStore store = new RetryingIdempotencyStore(storeWithTimeout(timeout), budget)) {
            store.acquire(request(someRecord()));
            await().pollDelay(Duration.ofMillis(idleMillis)).until(() -> true);
            proxy.forget();

            Lease lease = granted(store.acquire(request(record))).lease();
            assertThat(lease.attempt()).isOne();
            await().pollDelay(Duration.ofMillis(idleMillis)).until(() -> true);
            proxy.forget();
            assertThat(store.complete(lease, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
        }
    }

    /** The old primary lives on as a replica. */
    @Test
    void anAddressThatLeadsToTheNewPrimaryAfterAFailoverIsFollowed() {
        try (RunningRedis promoted = RedisServers.start(ServerOptions.own())) {
            granted(bare.acquire(request(someRecord())));
            proxy.leadTo(promoted.host(), promoted.port());
            harness.redis().replicaof(promoted.host(), promoted.port());

            assertThat(refusalsUntil(() -> bare.acquire(request(record)))).contains("READONLY");
            assertThat(promoted.command("EXISTS", keyOf(record))).contains("1");
        }
    }

    /** It is a replica of a server that it does not reach. */
    @Test
    void soIsOneThatAnswersNothing() {
        try (RunningRedis promoted = RedisServers.start(ServerOptions.own())) {
            bare.inspect(record);
            proxy.leadTo(promoted.host(), promoted.port());
            harness.redis().configSet("replica-serve-stale-data", "no");
            harness.redis().replicaof("127.0.0.1", 1);

            assertThat(refusalsUntil(() -> bare.inspect(record))).contains("MASTERDOWN");
        }
    }

    private static String refusalsUntil(Runnable answered) {
        List<String> refusals = new ArrayList<>();
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            try {
                answered.run();
                return true;
            } catch (StoreUnavailableException refused) {
                refusals.add(refused.getMessage());
                return false;
            }
        });
        return String.join(" ", refusals);
    }

    @Test
    void anAddressThatGoesOnLeadingToAReplicaIsDialledOnceASecondAtMost() {
        bare.acquire(request(someRecord()));
        harness.redis().replicaof("127.0.0.1", 1);
        long before = connections();
        long start = System.nanoTime();

        await().pollInterval(Duration.ofMillis(5)).until(() -> {
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> bare.acquire(request(someRecord())))
                        .isInstanceOf(StoreUnavailableException.class);
            }
            return connections() - before >= 2;
        });

        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        assertThat(connections() - before).isLessThanOrEqualTo(seconds + 2);
    }

    private long connections() {
        return Long.parseLong(
                harness.redis().info("stats").replaceAll("(?s).*total_connections_received:(\\d+).*", "$1"));
    }

    @Test
    void whatTheNetworkSwallowsIsUnknownAndASilentConnectionIsReplaced() {
        AcquireRequest request = request(record);
        bare.acquire(request(someRecord()));
        proxy.blackHole();
        assertUnknown(() -> bare.acquire(request));
        await().untilAsserted(() -> assertThatThrownBy(() -> bare.acquire(request))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unavailable -> assertThat(unavailable.execution()).isEqualTo(Execution.NOT_EXECUTED)));

        proxy.pass();

        await().ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(granted(bare.acquire(request)).lease().attempt())
                                .isOne());
    }
}
