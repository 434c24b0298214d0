package io.idem.internal.redis.script;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.internal.record.RecordRules;
import io.idem.internal.redis.client.Flush;
import io.idem.internal.redis.client.RedisCaller;
import io.idem.internal.redis.client.RedisFailures;
import io.idem.spi.Stages;
import io.lettuce.core.KeyValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Reads records without changing them. */
public record RecordReader(RedisCaller redis, Keys keys) {

    public Optional<PackedRecord> read(RecordId id) {
        String what = "GET of " + id;
        return redis.await(decoded(id, redis.send(what, commands -> commands.get(keys.of(id)))));
    }

    /** Returns the steps that are remembered beside a record; they may outlive it. */
    public RememberedSteps steps(RecordId id) {
        if (read(id).isEmpty()) {
            return RememberedSteps.NONE;
        }
        String what = "GET of the steps of " + id;
        CompletableFuture<byte[]> answer = redis.send(what, commands -> commands.get(keys.steps(id)));
        return redis.await(Stages.handle(
                answer,
                bytes -> bytes == null || bytes.length == 0 ? RememberedSteps.NONE : PackedSteps.decode(id, bytes),
                failure -> {
                    throw readable(id, "steps that are not a string", failure);
                }));
    }

    private static CompletableFuture<Optional<PackedRecord>> decoded(RecordId id, CompletableFuture<byte[]> answer) {
        return Stages.handle(
                answer, bytes -> Optional.ofNullable(bytes).map(found -> PackedRecord.decode(id, found)), failure -> {
                    throw readable(id, "not a string", failure);
                });
    }

    /** Returns the failure to throw: Redis refuses to read a value of another type. */
    private static Throwable readable(RecordId id, String what, Throwable failure) {
        return failure instanceof StoreUnavailableException failed && RedisFailures.wrongType(failed)
                ? new UnreadableRecordException(id, what)
                : failure;
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
        List<KeyValue<byte[], byte[]>> found = redis.call("MGET of key " + key.id(), commands -> commands.mget(names));
        List<RecordSnapshot> snapshots = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            RecordId id = ids.get(i);
            found.get(i)
                    .ifHasValue(bytes ->
                            snapshots.add(PackedRecord.decode(id, bytes).snapshot(id)));
        }
        return snapshots;
    }

    private List<String> scopes() {
        return redis.call("SMEMBERS of the scopes", commands -> commands.smembers(keys.scopes())).stream()
                .map(bytes -> new String(bytes, StandardCharsets.US_ASCII))
                .filter(name -> name.matches(Scope.SYNTAX))
                .sorted()
                .toList();
    }

    /**
     * Returns the answers to acquires that need no write, for a Redis that accepts none. A record of the request's own
     * owner gets no answer, since only a write could confirm its lease; a request without an answer ends with its
     * refusal.
     */
    public List<CompletableFuture<Claim>> answersWithoutWriting(
            List<AcquireRequest> requests, Function<AcquireRequest, StoreUnavailableException> refusal) {
        CompletableFuture<Long> now = redis.send("TIME", commands -> commands.time())
                .thenApply(time -> number(time.get(0)) * 1000 + number(time.get(1)) / 1000);
        List<RecordId> ids = requests.stream().map(AcquireRequest::record).toList();
        List<CompletableFuture<byte[]>> found = redis.sendAll(
                ids.stream().map(id -> "GET of " + id).toList(),
                ids.stream().map(id -> Flush.get(keys.of(id))).toList());
        List<CompletableFuture<Claim>> answers = new ArrayList<>(requests.size());
        for (AcquireRequest request : requests) {
            CompletableFuture<Optional<PackedRecord>> record = decoded(request.record(), found.get(answers.size()));
            answers.add(Stages.compose(
                    now,
                    millis -> Stages.map(
                            record,
                            read -> read.flatMap(known -> answerWithoutWriting(request, known, millis))
                                    .orElseThrow(() -> refusal.apply(request)))));
        }
        return answers;
    }

    private static Optional<Claim> answerWithoutWriting(AcquireRequest request, PackedRecord record, long now) {
        boolean own = record.state() == RecordState.PENDING && record.owner().equals(request.owner());
        Duration left = Duration.ofMillis(record.at() - now);
        return RecordRules.refusal(record.snapshot(request.record()), own, left, request)
                .filter(refusal -> !(refusal instanceof Claim.Exhausted));
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }
}
