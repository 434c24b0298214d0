package io.idem.internal.redis.script;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.internal.record.RecordRules;
import io.idem.internal.redis.client.RedisCaller;
import io.idem.internal.redis.client.RedisFailures;
import io.idem.spi.Stages;
import io.lettuce.core.KeyValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** Reads records without changing them. */
public record RecordReader(RedisCaller redis, Keys keys) {

    public Optional<RecordSnapshot> read(RecordId id) {
        return redis.await(found(id, "", keys.of(id), PackedRecord::decode));
    }

    /** Returns the steps that are remembered beside a record; they may outlive it. */
    public RememberedSteps steps(RecordId id) {
        return read(id).isEmpty()
                ? RememberedSteps.NONE
                : redis.await(found(id, "steps that are ", keys.steps(id), RecordReader::steps))
                        .orElse(RememberedSteps.NONE);
    }

    private static RememberedSteps steps(RecordId id, byte[] bytes) {
        return bytes.length == 0 ? RememberedSteps.NONE : PackedSteps.decode(id, bytes);
    }

    private <T> CompletableFuture<Optional<T>> found(
            RecordId id, String what, byte[] key, BiFunction<RecordId, byte[], T> decoding) {
        CompletableFuture<byte[]> answer =
                redis.send("GET of " + id, live -> live.async().get(key));
        return Stages.handle(
                answer, bytes -> Optional.ofNullable(bytes).map(value -> decoding.apply(id, value)), failure -> {
                    // Redis refuses to read a value of another type.
                    throw failure instanceof StoreUnavailableException failed && RedisFailures.wrongType(failed)
                            ? new UnreadableRecordException(id, what + "not a string")
                            : failure;
                });
    }

    /** Returns the records of a key in all announced scopes, in the order of their names. */
    public List<RecordSnapshot> readAll(IdempotencyKey key) {
        List<RecordId> ids = scopes().stream()
                .map(scope -> new RecordId(key, new Scope(scope)))
                .toList();
        if (ids.isEmpty()) {
            return List.of();
        }
        byte[][] names = ids.stream().map(keys::of).toArray(byte[][]::new);
        List<KeyValue<byte[], byte[]>> found =
                redis.call("MGET of key " + key.id(), live -> live.async().mget(names));
        List<RecordSnapshot> snapshots = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            RecordId id = ids.get(i);
            found.get(i).ifHasValue(bytes -> snapshots.add(PackedRecord.decode(id, bytes)));
        }
        return snapshots;
    }

    private List<String> scopes() {
        return redis.call("SMEMBERS of the scopes", live -> live.async().smembers(keys.scopes())).stream()
                .map(bytes -> new String(bytes, StandardCharsets.US_ASCII))
                .filter(name -> name.matches(Scope.SYNTAX))
                .sorted()
                .toList();
    }

    /**
     * Returns the answer to an acquire that needs no write, for a Redis that accepts none. A record of the request's own
     * owner gets no answer, since only a write could confirm its lease; a request without an answer ends with the refusal.
     */
    public CompletableFuture<Claim> answerWithoutWriting(AcquireRequest request, StoreUnavailableException refusal) {
        RecordId id = request.record();
        return Stages.compose(redis.send("TIME", live -> live.async().time()), time -> {
            Instant now = Instant.ofEpochMilli(number(time.get(0)) * 1000 + number(time.get(1)) / 1000);
            return Stages.map(
                    found(id, "", keys.of(id), (record, bytes) -> answerWithoutWriting(request, bytes, now)),
                    found -> found.flatMap(answer -> answer).orElseThrow(() -> refusal));
        });
    }

    private static Optional<Claim> answerWithoutWriting(AcquireRequest request, byte[] bytes, Instant now) {
        RecordSnapshot record = PackedRecord.decode(request.record(), bytes);
        boolean own = PackedRecord.isPendingOf(request.owner(), bytes);
        return RecordRules.refusal(record, own, Duration.between(now, record.at()), request)
                .filter(refusal -> !(refusal instanceof Claim.Exhausted));
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }
}
