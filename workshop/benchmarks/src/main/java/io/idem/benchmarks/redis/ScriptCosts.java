package io.idem.benchmarks.redis;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.benchmarks.report.Figures;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RunningRedis;
import io.lettuce.core.RedisURI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Measures the server time of each script for one record: alone in a call, and as one of many. */
final class ScriptCosts {

    private static final int RECORDS = 2_560;
    private static final int MANY = 128;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Scope SCOPE = new Scope("bench.scripts");
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration RETENTION = Duration.ofHours(24);

    private static final StoredResult KILOBYTE = StoredResult.of("raw", new byte[1_000]);

    private final RunningRedis redis;
    private final ServerTime time;
    private final OwnerToken owner = OwnerToken.random(new SecureRandom());

    ScriptCosts(RunningRedis redis) {
        this.redis = redis;
        this.time = new ServerTime(redis);
    }

    void measure(Figures figures) {
        RedisSettings settings = RedisSettings.of(RedisURI.create(redis.uri()));
        try (RedisIdempotencyStore store = new RedisIdempotencyStore(settings.withCommandTimeout(PATIENCE))) {
            measure(store, 1, figures);
            measure(store, MANY, figures);
        }
    }

    private void measure(RedisIdempotencyStore store, int together, Figures figures) {
        Run run = new Run(together, figures);
        List<AcquireRequest> requests = requests();
        List<Lease> leases = run.each("ACQUIRE, fresh", requests, store::acquire).stream()
                .map(claim -> ((Claim.Granted) claim).lease())
                .toList();
        settle(run, "RENEW", store, leases.stream().map(RecordUpdate.Renew::new));
        settle(
                run,
                "COMPLETE",
                store,
                leases.stream().map(lease -> new RecordUpdate.Complete(lease, StoredResult.NONE)));
        run.each("ACQUIRE, duplicate", requests, store::acquire);
        settle(run, "FAIL", store, granted(store, requests()).stream().map(ScriptCosts::failed));
        steps(run, store);
    }

    /** Measures the scripts of steps; the steps are recalled by the next attempt, as in use. */
    private void steps(Run run, RedisIdempotencyStore store) {
        List<AcquireRequest> requests = requests();
        List<Lease> leases = granted(store, requests);
        settle(run, "REMEMBER, first step", store, leases.stream().map(lease -> step(lease, "first", KILOBYTE)));
        settle(
                run,
                "REMEMBER, with 1 KB kept",
                store,
                leases.stream().map(lease -> step(lease, "second", StoredResult.NONE)));
        store.update(leases.stream().map(ScriptCosts::failed).toList()).forEach(ScriptCosts::joined);
        settle(
                run,
                "RECALL, with 1 KB kept",
                store,
                granted(store, requests).stream().map(RecordUpdate.Recall::new));
    }

    private static List<Lease> granted(RedisIdempotencyStore store, List<AcquireRequest> requests) {
        return store.acquire(requests).stream()
                .map(claim -> ((Claim.Granted) joined(claim)).lease())
                .toList();
    }

    private static RecordUpdate failed(Lease lease) {
        return new RecordUpdate.Fail(lease, Duration.ZERO);
    }

    private static RecordUpdate step(Lease lease, String name, StoredResult result) {
        return new RecordUpdate.Remember(
                lease, lease.fence(), new RememberedStep(name, Kind.DONE, lease.fence(), result));
    }

    private static void settle(
            Run run, String name, RedisIdempotencyStore store, Stream<? extends RecordUpdate> requests) {
        run.each(name, requests.<RecordUpdate>map(request -> request).toList(), store::update);
    }

    private List<AcquireRequest> requests() {
        String series = UUID.randomUUID() + ":";
        return IntStream.range(0, RECORDS)
                .mapToObj(number -> new RecordId(IdempotencyKey.of(series + number), SCOPE))
                .map(record -> new AcquireRequest(record, owner, LEASE, RETENTION, Fingerprint.NONE, 0, 0))
                .toList();
    }

    private static <T> T joined(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** Calls with that many records each. */
    private final class Run {

        private final int together;
        private final Figures figures;

        Run(int together, Figures figures) {
            this.together = together;
            this.figures = figures;
        }

        <Q, A> List<A> each(String name, List<Q> requests, Function<List<Q>, List<CompletionStage<A>>> call) {
            time.reset();
            List<A> answers = new ArrayList<>();
            for (int first = 0; first < requests.size(); first += together) {
                call.apply(requests.subList(first, first + together)).forEach(stage -> answers.add(joined(stage)));
            }
            figures.add(
                    "Redis time per record, " + together + " a call: " + name,
                    "µs",
                    time.microseconds("evalsha", "eval") / requests.size());
            return answers;
        }
    }
}
