package io.idem.internal.redis.script;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.internal.Frame;
import io.idem.spi.ForcedEnd;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The scripts of the transitions, with the arguments that their headers ask for. */
public final class TransitionScripts {

    private TransitionScripts() {}

    public static ScriptLine<Claim> acquire(AcquireRequest request) {
        long lease = request.lease().toMillis();
        long expiry = Math.max(lease, request.retention().toMillis());
        return new ScriptLine<>(
                new ScriptRun(Script.ACQUIRE, List.of(lease, expiry, (long) request.maxAttempts()), false),
                request.record(),
                List.of(PackedArguments.asked(request)),
                reply -> Replies.claim(request, reply));
    }

    public static ScriptLine<StoreAnswer> update(RecordUpdate update) {
        Lease lease = update.lease();
        byte[] retention = millis(lease.retention());
        byte[] duration = millis(lease.duration());
        if (update instanceof RecordUpdate.Renew) {
            return settle(Script.RENEW, lease, duration, retention);
        }
        if (update instanceof RecordUpdate.Complete complete) {
            return complete(lease, complete);
        }
        if (update instanceof RecordUpdate.Fail fail) {
            return settle(
                    Script.FAIL, lease, millis(fail.delay()), retention, duration, number(fail.counted() ? 1 : 0));
        }
        if (update instanceof RecordUpdate.Remember remember) {
            byte[] step = PackedSteps.encode(remember.life(), remember.step());
            return packed(steps(Script.REMEMBER, lease), lease, step, StoredResult.NONE);
        }
        if (update instanceof RecordUpdate.Recall) {
            return new ScriptLine<>(
                    steps(Script.RECALL, lease),
                    lease.record(),
                    List.of(PackedArguments.granted(lease, new byte[0])),
                    reply -> Replies.recalled(lease.record(), reply));
        }
        String reason = ((RecordUpdate.Reject) update).reason();
        return settle(Script.REJECT, lease, retention, reason.getBytes(StandardCharsets.UTF_8), duration);
    }

    private static ScriptLine<StoreAnswer> complete(Lease lease, RecordUpdate.Complete update) {
        ScriptRun run = new ScriptRun(Script.COMPLETE, List.of(lease.retention().toMillis()), update.forgetSteps());
        return packed(run, lease, Frame.of(update.result()), update.result());
    }

    /** Returns the run for steps: with the lease, the expiry of the record, and that of its steps, which is twice as long. */
    private static ScriptRun steps(Script script, Lease lease) {
        long duration = lease.duration().toMillis();
        long expiry = Math.max(duration, lease.retention().toMillis());
        return new ScriptRun(script, List.of(duration, expiry, 2 * expiry), true);
    }

    private static ScriptLine<StoreAnswer> packed(ScriptRun run, Lease lease, byte[] rest, StoredResult written) {
        return new ScriptLine<>(
                run,
                lease.record(),
                List.of(PackedArguments.granted(lease, rest)),
                reply -> Replies.answer(lease.record(), reply, written));
    }

    private static ScriptLine<StoreAnswer> settle(Script script, Lease lease, byte[]... others) {
        byte[][] owned = {lease.owner().toBytes(), number(lease.fence())};
        return unpacked(
                script,
                lease.record(),
                Stream.concat(Stream.of(owned), Stream.of(others)).toArray(byte[][]::new));
    }

    public static ScriptLine<StoreAnswer> reopen(RecordId record, long expectedFence, Duration retention) {
        return unpacked(Script.REOPEN, record, number(expectedFence), millis(retention));
    }

    public static ScriptLine<StoreAnswer> force(
            RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        byte[] state = end.name().getBytes(StandardCharsets.US_ASCII);
        return unpacked(Script.FORCE, record, number(expectedFence), state, millis(retention));
    }

    public static ScriptLine<StoreAnswer> erase(RecordId record) {
        return unpacked(Script.ERASE, record, Frame.of(StoredResult.OMITTED));
    }

    private static ScriptLine<StoreAnswer> unpacked(Script script, RecordId record, byte[]... arguments) {
        return new ScriptLine<>(
                new ScriptRun(script, List.of(), true),
                record,
                List.of(arguments),
                reply -> Replies.answer(record, reply, StoredResult.NONE));
    }

    /**
     * Returns the withdrawal of what an acquire was just granted. The next owner must still learn of an earlier owner
     * with an unknown outcome; for a repeated acquire the fence tells how the first grant came about.
     */
    public static ScriptLine<ScriptReply> withdraw(ScriptLine<?> acquire, ScriptReply granted) {
        byte[] outcome = (isKnown(acquire, granted) ? "KNOWN" : "UNKNOWN").getBytes(StandardCharsets.US_ASCII);
        return new ScriptLine<>(
                new ScriptRun(Script.WITHDRAW, List.of(), false),
                acquire.record(),
                List.of(left(acquire, granted), outcome),
                reply -> reply);
    }

    private static boolean isKnown(ScriptLine<?> acquire, ScriptReply granted) {
        return granted.isNumber()
                || switch (granted.text(1)) {
                    case "FRESH", "RETRY" -> true;
                    case "REENTRANT" ->
                        PackedRecord.decode(acquire.record(), granted.bytes(2)).fence() % 2 == 0;
                    default -> false;
                };
    }

    /** Returns the record as the grant left it. */
    private static byte[] left(ScriptLine<?> acquire, ScriptReply granted) {
        if (!granted.isNumber()) {
            return granted.bytes(2);
        }
        long lease = acquire.run().shared().get(0);
        return PackedArguments.firstGrant(acquire.arguments().get(0), granted.number(), lease);
    }

    private static byte[] millis(Duration duration) {
        return number(duration.toMillis());
    }

    private static byte[] number(long value) {
        return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    }
}
