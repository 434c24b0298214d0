package io.idem.redis;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.RecordId;
import io.idem.spi.RecordSnapshot;
import io.idem.spi.RecordState;
import io.lettuce.core.KeyValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads records without changing them. */
final class RecordReader {

    private final RedisCaller redis;

    RecordReader(RedisCaller redis) {
        this.redis = redis;
    }

    Optional<PackedRecord> read(RecordId id) {
        try {
            byte[] found = redis.call("GET of " + id, commands -> Optional.ofNullable(commands.get(Keys.of(id))))
                    .orElse(null);
            return Optional.ofNullable(found).map(bytes -> PackedRecord.decode(id, bytes));
        } catch (StoreUnavailableException failed) {
            throw RedisFailures.wrongType(failed) ? new UnreadableRecordException(id, "not a string") : failed;
        }
    }

    /** The records of a key in all announced scopes, in the order of their names. */
    List<RecordSnapshot> readAll(IdempotencyKey key) {
        List<RecordId> ids = scopes().stream()
                .map(scope -> new RecordId(key, new Scope(scope)))
                .toList();
        if (ids.isEmpty()) {
            return List.of();
        }
        byte[][] keys = ids.stream().map(Keys::of).toArray(byte[][]::new);
        List<KeyValue<byte[], byte[]>> found = redis.call("MGET of key " + key.id(), commands -> commands.mget(keys));
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
        return redis.call("SMEMBERS of the scopes", commands -> commands.smembers(Keys.scopes())).stream()
                .map(bytes -> new String(bytes, StandardCharsets.US_ASCII))
                .filter(name -> name.matches(Scope.SYNTAX))
                .sorted()
                .toList();
    }

    /**
     * What an acquire would answer if the answer needs no write: for a Redis that takes none. A record of the request's own
     * owner gets no answer, since only a write could confirm its lease.
     */
    Optional<Claim> answerWithoutWriting(AcquireRequest request) {
        Optional<PackedRecord> found = read(request.record());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        PackedRecord record = found.get();
        if (!request.fingerprint().matches(record.fingerprint())) {
            return Optional.of(new Claim.Mismatch());
        }
        return switch (record.state()) {
            case COMPLETED -> Optional.of(new Claim.Replay(record.result(), record.fence()));
            case REJECTED -> Optional.of(new Claim.Rejected(record.reason(), record.fence()));
            case PENDING, FAILED -> ifStillWaiting(request, record);
            case ABSENT -> Optional.empty();
        };
    }

    private Optional<Claim> ifStillWaiting(AcquireRequest request, PackedRecord record) {
        Duration left = Duration.ofMillis(record.at() - now());
        if (left.isNegative() || left.isZero()) {
            return Optional.empty();
        }
        if (record.state() == RecordState.FAILED) {
            return Optional.of(new Claim.NotYet(left));
        }
        return record.owner().equals(request.owner()) ? Optional.empty() : Optional.of(new Claim.InProgress(left));
    }

    /** Milliseconds by the clock of Redis. */
    private long now() {
        List<byte[]> time = redis.call("TIME", commands -> commands.time());
        return number(time.get(0)) * 1000 + number(time.get(1)) / 1000;
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }
}
