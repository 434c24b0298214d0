package io.idem.test.redis;

import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.AsyncCall;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.WorkResult;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Batches and asynchronous work on a real Redis, whole and broken. */
@Tag("servers")
class AsyncRedisTest {

    private static final StoredResult RECEIPT = StoredResult.of("json", new byte[] {1, 2, 3});

    private final RedisStoreHarness harness = new RedisStoreHarness();
    private final ExecutorService workers = Executors.newFixedThreadPool(4);
    private final IdempotentExecutor executor =
            IdempotentExecutor.on(harness.store()).build();
    private final AsyncIdempotentExecutor async = executor.async(workers);
    private final String run = UUID.randomUUID().toString();

    @AfterEach
    void stop() {
        executor.close();
        workers.shutdownNow();
        harness.stop();
    }

    private Operation operation(int number) {
        return Operation.of(IdempotencyKey.of(run + number), new Scope("payments"), ExecutionPolicy.defaults());
    }

    private static WorkResult<String> done() {
        return new WorkResult.Complete<>("done", RECEIPT);
    }

    private long scriptCalls() {
        Matcher calls = Pattern.compile("cmdstat_(evalsha|eval):calls=(\\d+)")
                .matcher(harness.redis().info("commandstats"));
        return calls.results().mapToLong(call -> Long.parseLong(call.group(2))).sum();
    }

    private static <T> T joined(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static <T> List<T> allJoined(List<CompletionStage<T>> stages) {
        return stages.stream().map(AsyncRedisTest::joined).toList();
    }

    private List<Claim> acquireAll(Stream<RecordId> records) {
        return allJoined(harness.store().acquire(records.map(Acquires::request).toList()));
    }

    private static Lease lease(Claim claim) {
        return Acquires.granted(claim).lease();
    }

    @Test
    void of64AsynchronousCallersOfOneKeyOneRuns() {
        AtomicInteger runs = new AtomicInteger();
        List<CompletionStage<Outcome<String>>> outcomes = IntStream.range(0, 64)
                .parallel()
                .mapToObj(i -> async.<String>execute(operation(1), context -> {
                    runs.incrementAndGet();
                    return CompletableFuture.supplyAsync(AsyncRedisTest::done, workers);
                }))
                .toList();

        List<Outcome<String>> ended = allJoined(outcomes);

        assertThat(runs).hasValue(1);
        assertThat(ended).filteredOn(Outcome.Executed.class::isInstance).hasSize(1);
        assertThat(ended)
                .filteredOn(outcome -> !(outcome instanceof Outcome.Executed))
                .allMatch(outcome -> outcome instanceof Outcome.InProgress || outcome instanceof Outcome.Replayed);
    }

    @Test
    void aBatchOf500MakesAFewCallsToRedis() {
        joined(async.<String>execute(operation(0), context -> CompletableFuture.completedStage(done())));
        long before = scriptCalls();
        CompletableFuture<WorkResult<String>> gate = new CompletableFuture<>();
        AtomicInteger begun = new AtomicInteger();

        List<CompletionStage<Outcome<String>>> outcomes = async.executeAll(IntStream.rangeClosed(1, 500)
                .mapToObj(i -> new AsyncCall<String>(operation(i), context -> {
                    begun.incrementAndGet();
                    return gate;
                }))
                .toList());
        await().until(() -> begun.get() == 500);
        assertThat(scriptCalls() - before).as("500 acquires, 128 per call").isEqualTo(4);
        gate.complete(done());

        assertThat(allJoined(outcomes)).hasOnlyElementsOfType(Outcome.Executed.class);
        assertThat(scriptCalls() - before).as("and 500 settles").isLessThan(100);
    }

    @Test
    void threeHundredRecordsAreThreeCallsEachWay() {
        acquireAll(Stream.of(someRecord()));
        long before = scriptCalls();

        List<Claim> claims = acquireAll(Stream.generate(Acquires::someRecord).limit(300));

        assertThat(claims).hasOnlyElementsOfType(Claim.Granted.class);
        assertThat(scriptCalls() - before).isEqualTo(3);
    }

    @Test
    void requestsOfOneBatchThatWantDifferentThingsEachGetTheirs() {
        AcquireRequest plain = request(someRecord());
        AcquireRequest hour = wanting(Duration.ofHours(1), 0);
        long aheadOfTheClock = 8_000_000_000_000_000L;
        AcquireRequest high = wanting(Acquires.LEASE, aheadOfTheClock);
        AcquireRequest low = wanting(Acquires.LEASE, 7);

        List<Lease> leases = allJoined(harness.store().acquire(List.of(plain, hour, high, low))).stream()
                .map(AsyncRedisTest::lease)
                .toList();

        assertThat(leases.get(2).fence()).isEqualTo(aheadOfTheClock + 2);
        assertThat(leases.get(3).fence()).isEqualTo(leases.get(0).fence());
        assertThat(leases)
                .allSatisfy(lease -> assertThat(
                                harness.store().inspect(lease.record()).orElseThrow())
                        .returns(lease.fence(), RecordSnapshot::fence)
                        .returns(1, RecordSnapshot::attempts));
        assertThat(leaseEnd(hour))
                .isBetween(leaseEnd(plain).plusSeconds(2999), leaseEnd(plain).plusSeconds(3060));
    }

    private Instant leaseEnd(AcquireRequest request) {
        return harness.store().inspect(request.record()).orElseThrow().at();
    }

    private static AcquireRequest wanting(Duration lease, long fenceFloor) {
        AcquireRequest like = request(someRecord());
        return new AcquireRequest(
                like.record(), like.owner(), lease, like.retention(), like.fingerprint(), fenceFloor, 0);
    }

    @Test
    void aRecordThatCannotBeReadLeavesItsNeighboursAlone() {
        RecordId foreign = someRecord();
        byte[] key = Acquires.bytes(Acquires.keyOf(foreign));
        RecordId list = someRecord();
        harness.redis().set(key, Acquires.bytes("processing"));
        harness.redis().rpush(Acquires.bytes(Acquires.keyOf(list)), Acquires.bytes("a"));
        RecordId first = someRecord();
        RecordId last = someRecord();

        List<CompletionStage<Claim>> claims = harness.store()
                .acquire(Stream.of(first, foreign, list, last)
                        .map(Acquires::request)
                        .toList());

        assertUnreadable(claims.get(1), foreign);
        assertUnreadable(claims.get(2), list);
        List<CompletionStage<StoreAnswer>> settlements = harness.store()
                .update(List.of(
                        new RecordUpdate.Complete(lease(joined(claims.get(0))), RECEIPT),
                        new RecordUpdate.Complete(leaseOf(foreign), RECEIPT),
                        new RecordUpdate.Complete(lease(joined(claims.get(3))), RECEIPT)));
        assertThat(joined(settlements.get(0))).isEqualTo(new StoreAnswer.Ok(RECEIPT));
        assertUnreadable(settlements.get(1), foreign);
        assertThat(joined(settlements.get(2))).isEqualTo(new StoreAnswer.Ok(RECEIPT));
        assertThat(harness.redis().get(key)).isEqualTo(Acquires.bytes("processing"));
    }

    private static Lease leaseOf(RecordId record) {
        return new Lease(record, request(record).owner(), 1, 1, Acquires.LEASE, Duration.ofHours(1));
    }

    private static void assertUnreadable(CompletionStage<?> stage, RecordId record) {
        assertThatThrownBy(() -> joined(stage))
                .cause()
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining(record.toString());
    }

    @Test
    void aFullRedisAnswersTheDuplicatesOfABatchAndSettlesWhatItHas() {
        RecordId completed = someRecord();
        Lease lease = Acquires.lease(harness.store(), completed);
        harness.store().complete(lease, RECEIPT);
        RecordId pending = someRecord();
        Lease open = Acquires.lease(harness.store(), pending);
        harness.redis().configSet("maxmemory", "1");

        List<CompletionStage<Claim>> claims = harness.store()
                .acquire(Stream.of(someRecord(), completed, pending)
                        .map(Acquires::request)
                        .toList());

        assertUnavailable(claims.get(0), Execution.NOT_EXECUTED);
        assertThat(joined(claims.get(1))).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
        assertThat(joined(claims.get(2))).isInstanceOf(Claim.InProgress.class);
        assertThat(joined(harness.store()
                        .update(List.of(new RecordUpdate.Complete(open, RECEIPT)))
                        .get(0)))
                .isEqualTo(new StoreAnswer.Ok(RECEIPT));
    }

    private static void assertUnavailable(CompletionStage<?> stage, Execution execution) {
        assertThatThrownBy(() -> joined(stage))
                .cause()
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unavailable -> assertThat(unavailable.execution()).isEqualTo(execution));
    }

    @Test
    void scriptsThatRedisForgotAreSentAgainForAWholeBatch() {
        harness.redis().scriptFlush();
        List<Claim> claims = acquireAll(Stream.generate(Acquires::someRecord).limit(200));
        harness.redis().scriptFlush();

        List<StoreAnswer> settlements = allJoined(harness.store()
                .update(IntStream.range(0, claims.size())
                        .<RecordUpdate>mapToObj(i -> i % 2 == 0
                                ? new RecordUpdate.Complete(lease(claims.get(i)), RECEIPT)
                                : new RecordUpdate.Fail(lease(claims.get(i)), Duration.ZERO))
                        .toList()));

        assertThat(settlements).hasOnlyElementsOfType(StoreAnswer.Ok.class);
    }

    @Test
    void aFrozenRedisKeepsNobodyWaiting() {
        Acquires.lease(harness.store(), someRecord());
        AcquireRequest request = request(someRecord());
        harness.server().freeze();

        CompletionStage<Claim> claim = harness.store().acquire(List.of(request)).get(0);

        assertThat(claim.toCompletableFuture()).as("when the call returned").isNotDone();
        assertUnavailable(claim, Execution.UNKNOWN);
        harness.server().thaw();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(Acquires.granted(joined(harness.store()
                                        .acquire(List.of(request))
                                        .get(0)))
                                .lease()
                                .attempt())
                        .isOne());
    }
}
