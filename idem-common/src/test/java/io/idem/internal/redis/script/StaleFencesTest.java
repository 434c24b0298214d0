package io.idem.internal.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.internal.redis.client.RedisCaller;
import io.idem.redis.RedisSettings;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.spi.ForcedEnd;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every script that is given a fence looks at it, on a real Redis. The owner token is always the right one: one owner has had
 * two grants of a record, and calls with the first.
 */
@Tag("servers")
class StaleFencesTest {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration RETENTION = Duration.ofHours(24);
    private static final StoredResult RECEIPT = StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8));
    private static final List<Script> GIVEN_NO_FENCE = List.of(Script.ACQUIRE, Script.ERASE);
    private static final Keys KEYS = new Keys(RedisSettings.DEFAULT_NAMESPACE);

    private static RunningRedis server;
    private static RedisCaller redis;
    private static PlainScripts scripts;

    private final AcquireRequest request = new AcquireRequest(
            new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), new Scope("payments")),
            OwnerToken.random(new SecureRandom()),
            LEASE,
            RETENTION,
            Fingerprint.NONE,
            0,
            0);

    @BeforeAll
    static void start() {
        server = RedisServers.start(ServerOptions.own());
        RedisSettings settings = RedisSettings.of(RedisURI.create(server.uri()));
        redis = new RedisCaller(settings);
        scripts = new PlainScripts(redis, KEYS);
    }

    @AfterAll
    static void stop() {
        redis.close();
        server.close();
    }

    /** A grant of the request, with what the script answered. */
    private record Grant(AcquireRequest request, ScriptReply reply) {

        Lease lease() {
            return ((Claim.Granted) Replies.claim(request, reply)).lease();
        }

        RecordId record() {
            return request.record();
        }

        long fence() {
            return lease().fence();
        }
    }

    /** A call of a script that is given the fence of a grant. */
    private record Call(String name, Function<Grant, ScriptLine<?>> line) {

        static Call settling(String name, Function<Lease, RecordUpdate> update) {
            return new Call(name, grant -> TransitionScripts.update(update.apply(grant.lease())));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Returns calls of all scripts that are given a fence. */
    private static List<Call> calls() {
        return List.of(
                Call.settling("RENEW", RecordUpdate.Renew::new),
                Call.settling("COMPLETE", lease -> new RecordUpdate.Complete(lease, RECEIPT, true)),
                Call.settling("FAIL", lease -> new RecordUpdate.Fail(lease, Duration.ofHours(1))),
                Call.settling("REJECT", lease -> new RecordUpdate.Reject(lease, "too late")),
                Call.settling("RECALL", RecordUpdate.Recall::new),
                Call.settling(
                        "REMEMBER", lease -> new RecordUpdate.Remember(lease, lease.fence(), step(lease, "late"))),
                new Call("REOPEN", grant -> TransitionScripts.reopen(grant.record(), grant.fence(), RETENTION)),
                forcing(ForcedEnd.COMPLETED),
                forcing(ForcedEnd.FAILED),
                new Call(
                        "WITHDRAW",
                        grant ->
                                TransitionScripts.withdraw(TransitionScripts.acquire(grant.request()), grant.reply())));
    }

    private static Call forcing(ForcedEnd end) {
        return new Call(
                "FORCE " + end, grant -> TransitionScripts.force(grant.record(), grant.fence(), end, RETENTION));
    }

    private static RememberedStep step(Lease lease, String id) {
        return new RememberedStep(id, Kind.DONE, lease.fence(), RECEIPT);
    }

    static Stream<Arguments> callsInEveryState() {
        return calls().stream()
                .flatMap(call -> Stream.of(
                                RecordState.PENDING, RecordState.COMPLETED, RecordState.FAILED, RecordState.REJECTED)
                        .map(state -> Arguments.of(call, state)));
    }

    @ParameterizedTest
    @MethodSource("callsInEveryState")
    void aStaleFenceWithTheRightOwnerIsLostAndChangesNothing(Call call, RecordState state) {
        Grant stale = granted();
        ended(stale, RecordState.FAILED);
        Grant current = granted();
        Lease lease = current.lease();
        run(TransitionScripts.update(new RecordUpdate.Remember(lease, lease.fence(), step(lease, "charge"))));
        ended(current, state);
        byte[] record = stored(KEYS.of(request.record()));
        List<String> before = kept();

        ScriptReply reply = run(call.line().apply(stale));

        assertThat(reply.word()).as("answer to %s of a %s record", call, state).isEqualTo("LOST");
        assertThat(reply.bytes(1)).isEqualTo(record);
        assertThat(kept()).as("what %s leaves of a %s record", call, state).isEqualTo(before);
    }

    @Test
    void noScriptThatIsGivenAFenceIsLeftOut() {
        Grant grant = granted();
        List<Script> given = calls().stream()
                .map(call -> call.line().apply(grant).run().script())
                .distinct()
                .toList();

        assertThat(Script.values())
                .filteredOn(script -> !GIVEN_NO_FENCE.contains(script))
                .containsExactlyInAnyOrderElementsOf(given);
    }

    private Grant granted() {
        return new Grant(request, run(TransitionScripts.acquire(request)));
    }

    private void ended(Grant grant, RecordState state) {
        Lease lease = grant.lease();
        switch (state) {
            case COMPLETED -> run(TransitionScripts.update(new RecordUpdate.Complete(lease, RECEIPT, false)));
            case FAILED -> run(TransitionScripts.update(new RecordUpdate.Fail(lease, Duration.ZERO)));
            case REJECTED -> run(TransitionScripts.update(new RecordUpdate.Reject(lease, "no")));
            default -> {}
        }
    }

    private ScriptReply run(ScriptLine<?> line) {
        return redis.await(scripts.send(new ScriptCall(List.of(line)))).get(0);
    }

    /** Returns what Redis keeps of the record and its steps, and until when. */
    private List<String> kept() {
        return Stream.of(KEYS.of(request.record()), KEYS.steps(request.record()))
                .map(key -> HexFormat.of().formatHex(stored(key)) + " until "
                        + redis.<Long>call("PEXPIRETIME", live -> live.async().pexpiretime(key)))
                .toList();
    }

    private static byte[] stored(byte[] key) {
        return redis.call("GET", live -> live.async().get(key));
    }
}
