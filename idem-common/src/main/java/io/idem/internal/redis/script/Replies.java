package io.idem.internal.redis.script;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RememberedSteps;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.internal.record.RecordRules;
import io.idem.internal.redis.client.RedisFailures;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;

/** Translates the replies of the scripts into the answers of the store. */
public final class Replies {

    private Replies() {}

    public static Claim claim(AcquireRequest request, ScriptReply reply) {
        RecordId id = request.record();
        if (reply.isNumber()) {
            return new Claim.Granted(request.granted(reply.number(), 1), Claim.GrantKind.FRESH);
        }
        return switch (reply.word()) {
            case "GRANTED" -> granted(request, reply);
            case "REPLAY", "REJECTED", "EXHAUSTED" ->
                RecordRules.refusal(record(id, reply, 1), false, Duration.ZERO, request)
                        .orElseThrow(() -> unexpected(id, reply));
            case "NOT_YET" -> new Claim.NotYet(millis(reply));
            case "IN_PROGRESS" -> new Claim.InProgress(millis(reply));
            case "MISMATCH" -> new Claim.Mismatch();
            default -> throw unexpected(id, reply);
        };
    }

    private static Claim granted(AcquireRequest request, ScriptReply reply) {
        RecordSnapshot record = record(request.record(), reply, 2);
        return new Claim.Granted(
                request.granted(record.fence(), record.attempts()), Claim.GrantKind.valueOf(reply.text(1)));
    }

    /** Translates the answer to a write; {@code written} is the result if the script says that it took effect just now. */
    public static StoreAnswer answer(RecordId id, ScriptReply reply, StoredResult written) {
        return switch (reply.word()) {
            case "OK" ->
                new StoreAnswer.Ok(reply.size() > 1 ? record(id, reply, 1).result() : written);
            case "SETTLED" ->
                new StoreAnswer.AlreadySettled(record(id, reply, 1).state());
            case "LOST" -> lost(id, reply);
            default -> throw unexpected(id, reply);
        };
    }

    /** Translates the answer to RECALL. */
    public static StoreAnswer recalled(RecordId id, ScriptReply reply) {
        if (!reply.word().equals("OK")) {
            return answer(id, reply, StoredResult.NONE);
        }
        return new StoreAnswer.Recalled(
                reply.size() > 1 ? PackedSteps.decode(id, reply.bytes(1)) : RememberedSteps.NONE);
    }

    private static StoreAnswer lost(RecordId id, ScriptReply reply) {
        if (reply.size() == 1) {
            return new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE);
        }
        RecordSnapshot record = record(id, reply, 1);
        return new StoreAnswer.Lost(record.state(), record.result());
    }

    private static RecordSnapshot record(RecordId id, ScriptReply reply, int index) {
        return PackedRecord.decode(id, reply.bytes(index));
    }

    private static Duration millis(ScriptReply reply) {
        return Duration.ofMillis(Long.parseLong(reply.text(1)));
    }

    private static RuntimeException unexpected(RecordId id, ScriptReply reply) {
        return switch (reply.word()) {
            case "UNREADABLE" -> new UnreadableRecordException(id, reply.text(1));
            case "ERROR" ->
                RedisFailures.unavailable("a script for " + id, new RedisCommandExecutionException(reply.text(1)));
            default -> new IllegalStateException("No script of this version answers " + reply.word());
        };
    }
}
