package io.idem.test.upgrade;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** idem as it was at an earlier commit: that commit's scripts, and its way of calling them. */
final class FrozenStore implements IdempotencyStore {

    /** The last one before scripts took several records in one call. */
    static final String FIRST = "37605f6";

    private static final byte[] SCOPES = bytes("idem:scopes");

    private final RedisClient client;
    private final RedisCommands<byte[], byte[]> redis;
    private final FrozenScripts scripts;

    FrozenStore(String uri, String version) {
        this.client = RedisClient.create(uri);
        this.redis = client.connect(ByteArrayCodec.INSTANCE).sync();
        this.scripts = new FrozenScripts(redis, version);
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return Stages.each(requests, this::claim);
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return Stages.each(updates, this::write);
    }

    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.empty();
    }

    private Claim claim(AcquireRequest request) {
        List<Object> reply = scripts.run(
                "acquire",
                key(request.record()),
                request.owner().toBytes(),
                number(request.lease().toMillis()),
                number(request.retention().toMillis()),
                request.fingerprint().toBytes(),
                number(request.fenceFloor()),
                number(request.maxAttempts()));
        return switch (text(reply, 0)) {
            case "GRANTED" ->
                new Claim.Granted(lease(request, record(reply, 2)), Claim.GrantKind.valueOf(text(reply, 1)));
            case "REPLAY" ->
                new Claim.Replay(record(reply, 1).result(), record(reply, 1).fence());
            case "REJECTED" ->
                new Claim.Rejected(record(reply, 1).reason(), record(reply, 1).fence());
            case "EXHAUSTED" ->
                new Claim.Exhausted(
                        record(reply, 1).attempts(), record(reply, 1).fence());
            case "NOT_YET" -> new Claim.NotYet(Duration.ofMillis(Long.parseLong(text(reply, 1))));
            case "IN_PROGRESS" -> new Claim.InProgress(Duration.ofMillis(Long.parseLong(text(reply, 1))));
            case "MISMATCH" -> new Claim.Mismatch();
            default -> throw new UnreadableRecordException(request.record(), text(reply, 1));
        };
    }

    private static Lease lease(AcquireRequest request, FrozenRecord record) {
        return new Lease(
                request.record(),
                request.owner(),
                record.fence(),
                record.attempts(),
                request.lease(),
                request.retention());
    }

    private StoreAnswer write(RecordUpdate update) {
        if (update instanceof RecordUpdate.Renew) {
            return extend(update.lease());
        }
        if (update instanceof RecordUpdate.Complete complete) {
            return settle(
                    "complete",
                    update.lease(),
                    complete.result(),
                    number(update.lease().retention().toMillis()),
                    encoded(complete.result()));
        }
        return update instanceof RecordUpdate.Fail fail
                ? release(fail.lease(), fail.delay())
                : refuse(update.lease(), ((RecordUpdate.Reject) update).reason());
    }

    private StoreAnswer extend(Lease lease) {
        return settle(
                "renew",
                lease,
                StoredResult.NONE,
                number(lease.duration().toMillis()),
                number(lease.retention().toMillis()));
    }

    private static byte[] encoded(StoredResult result) {
        byte[] codec = bytes(result.codec());
        return result.equals(StoredResult.NONE)
                ? new byte[0]
                : ByteBuffer.allocate(1 + codec.length + result.size())
                        .put((byte) codec.length)
                        .put(codec)
                        .put(result.content())
                        .array();
    }

    private StoreAnswer release(Lease lease, Duration delay) {
        return settle(
                "fail",
                lease,
                StoredResult.NONE,
                number(delay.isNegative() ? 0 : delay.toMillis()),
                number(lease.retention().toMillis()));
    }

    private StoreAnswer refuse(Lease lease, String reason) {
        return settle(
                "reject",
                lease,
                StoredResult.NONE,
                number(lease.retention().toMillis()),
                reason.getBytes(StandardCharsets.UTF_8));
    }

    private StoreAnswer settle(String script, Lease lease, StoredResult written, byte[] third, byte[] fourth) {
        return settlement(
                lease.record(),
                scripts.run(script, key(lease.record()), lease.owner().toBytes(), number(lease.fence()), third, fourth),
                written);
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return settlement(
                record,
                scripts.run("reopen", key(record), number(expectedFence), number(retention.toMillis())),
                StoredResult.NONE);
    }

    private static StoreAnswer settlement(RecordId id, List<Object> reply, StoredResult written) {
        boolean withRecord = reply.size() > 1;
        return switch (text(reply, 0)) {
            case "OK" -> new StoreAnswer.Ok(withRecord ? record(reply, 1).result() : written);
            case "SETTLED" -> new StoreAnswer.AlreadySettled(record(reply, 1).state());
            case "LOST" ->
                withRecord
                        ? new StoreAnswer.Lost(
                                record(reply, 1).state(), record(reply, 1).result())
                        : new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE);
            default -> throw new UnreadableRecordException(id, text(reply, 1));
        };
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        throw new UnsupportedOperationException("The first version could not force");
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        throw new UnsupportedOperationException("The first version could not erase");
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return Optional.ofNullable(redis.get(key(record)))
                .map(found -> new FrozenRecord(found).snapshot(record.scope()));
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return redis.smembers(SCOPES).stream()
                .map(name -> new String(name, StandardCharsets.US_ASCII))
                .sorted()
                .map(name -> inspect(new RecordId(key, new Scope(name))))
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public RememberedSteps steps(RecordId record) {
        throw new UnsupportedOperationException("The first version knew no steps");
    }

    @Override
    public void announce(Scope scope) {
        redis.sadd(SCOPES, bytes(scope.name()));
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }

    private static FrozenRecord record(List<Object> reply, int index) {
        return new FrozenRecord((byte[]) reply.get(index));
    }

    private static String text(List<Object> reply, int index) {
        return new String((byte[]) reply.get(index), StandardCharsets.UTF_8);
    }

    private static byte[] key(RecordId record) {
        return bytes("idem:{" + record.key().id() + "}:" + record.scope());
    }

    private static byte[] number(long value) {
        return bytes(Long.toString(value));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
