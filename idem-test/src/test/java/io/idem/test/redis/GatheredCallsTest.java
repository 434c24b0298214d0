package io.idem.test.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers that wait share calls of scripts, and get what they would get alone. */
@Tag("servers")
class GatheredCallsTest {

    private static final int CALLERS = 64;
    private static final int EACH = 20;
    private static final StoredResult SHORT = StoredResult.of("json", new byte[] {1, 2, 3});
    private static final StoredResult LONG = StoredResult.of("json", new byte[5_000]);

    private final RedisStoreHarness harness = new RedisStoreHarness();
    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);

    @AfterEach
    void stop() {
        callers.shutdownNow();
        harness.stop();
    }

    @Test
    void callersAtTheSameTimeMakeFewerCallsThanRequestsAndEachGetsItsOwnAnswer() throws Exception {
        List<RecordId> records = records();
        long start = scriptCalls();
        List<Lease> leases = atTheSameTime(records, record -> Acquires.lease(harness.store(), record));
        assertThat(scriptCalls() - start).isLessThan(records.size());

        assertThat(leases).extracting(Lease::record).isEqualTo(records);
        assertThat(atTheSameTime(leases, lease -> harness.store().complete(lease, SHORT)))
                .containsOnly(new StoreAnswer.Ok(SHORT));
        assertThat(records)
                .allSatisfy(record ->
                        assertThat(harness.store().inspect(record)).get().returns(1, RecordSnapshot::attempts));
    }

    @Test
    void ofCallersWhoAskForOneRecordAtTheSameTimeOneIsGrantedIt() throws Exception {
        List<RecordId> same = Collections.nCopies(CALLERS * EACH, Acquires.someRecord());

        List<Claim> claims = atTheSameTime(same, record -> harness.store().acquire(Acquires.request(record)));

        assertThat(claims).filteredOn(Claim.Granted.class::isInstance).hasSize(1);
        assertThat(claims).filteredOn(Claim.InProgress.class::isInstance).hasSize(same.size() - 1);
    }

    @Test
    void longResultsAreEachWrittenByACallOfTheirOwn() throws Exception {
        List<Lease> leases = atTheSameTime(records(), record -> Acquires.lease(harness.store(), record));
        long start = scriptCalls();

        List<StoreAnswer> settlements =
                atTheSameTime(leases, lease -> harness.store().complete(lease, LONG));

        assertThat(settlements).containsOnly(new StoreAnswer.Ok(LONG));
        assertThat(scriptCalls() - start).isGreaterThanOrEqualTo(leases.size());
    }

    @Test
    void aDelayThatNobodyCanCountFailsNoOtherCallersCall() throws Exception {
        List<Lease> leases = atTheSameTime(records(), record -> Acquires.lease(harness.store(), record));
        Duration nonsense = Duration.between(Instant.now(), Instant.MIN);

        List<StoreAnswer> settlements = atTheSameTime(
                leases,
                lease -> harness.store().fail(lease, leases.indexOf(lease) % EACH == 0 ? nonsense : Duration.ZERO));

        assertThat(settlements).containsOnly(new StoreAnswer.Ok(StoredResult.NONE));
    }

    @Test
    void aLeaseThatNobodyCanCountFailsNoOtherCallersCall() throws Exception {
        List<Lease> leases = atTheSameTime(records(), record -> Acquires.lease(harness.store(), record));

        List<Boolean> renewed =
                atTheSameTime(leases, lease -> renewed(leases.indexOf(lease) % EACH == 0 ? endless(lease) : lease));

        assertThat(renewed).filteredOn(done -> !done).hasSize(CALLERS);
    }

    private boolean renewed(Lease lease) {
        try {
            return harness.store().renew(lease).equals(new StoreAnswer.Ok(StoredResult.NONE));
        } catch (ArithmeticException uncountable) {
            return false;
        }
    }

    private static Lease endless(Lease lease) {
        return new Lease(
                lease.record(),
                lease.owner(),
                lease.fence(),
                lease.attempt(),
                Duration.ofSeconds(Long.MAX_VALUE),
                lease.retention());
    }

    private static List<RecordId> records() {
        return Stream.generate(Acquires::someRecord).limit(CALLERS * EACH).toList();
    }

    private long scriptCalls() {
        return Pattern.compile("cmdstat_(evalsha|eval):calls=(\\d+)")
                .matcher(harness.redis().info("commandstats"))
                .results()
                .mapToLong(call -> Long.parseLong(call.group(2)))
                .sum();
    }

    private <A, B> List<B> atTheSameTime(List<A> all, Function<A, B> call) throws Exception {
        CyclicBarrier start = new CyclicBarrier(CALLERS);
        List<Callable<List<B>>> parts = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            List<A> part = all.subList(caller * EACH, (caller + 1) * EACH);
            parts.add(() -> {
                start.await();
                return part.stream().map(call).toList();
            });
        }
        List<B> answers = new ArrayList<>();
        for (Future<List<B>> part : callers.invokeAll(parts)) {
            answers.addAll(part.get());
        }
        return answers;
    }
}
