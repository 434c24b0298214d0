package io.idem.internal.redis.script;

import io.idem.AcquireRequest;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.StoredResult;
import io.idem.internal.Frame;
import io.idem.internal.redis.client.Script;
import io.idem.spi.ForcedEnd;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The scripts of the transitions, with the arguments that their headers ask for. */
public final class TransitionScripts {

    private final Scripts scripts;
    private final PreparedScript<AcquireTerms> acquires = new PreparedScript<>();
    private final PreparedScript<CompletionTerms> completions = new PreparedScript<>();
    private final PreparedScript<StepTerms> remembers = new PreparedScript<>();
    private final PreparedScript<StepTerms> recalls = new PreparedScript<>();

    public TransitionScripts(Scripts scripts) {
        this.scripts = scripts;
    }

    public ScriptArguments acquire(AcquireRequest request) {
        ScriptRun run = acquires.of(
                new AcquireTerms(request.lease(), request.retention(), request.maxAttempts()), this::acquireOn);
        return new ScriptArguments(run, request.record(), List.of(PackedArguments.asked(request)));
    }

    private ScriptRun acquireOn(AcquireTerms terms) {
        long lease = terms.lease().toMillis();
        long expiry = Math.max(lease, terms.retention().toMillis());
        return new ScriptRun(
                scripts.acquire(),
                List.of(Long.toString(lease), Long.toString(expiry), Integer.toString(terms.maxAttempts())),
                false);
    }

    public ScriptArguments settle(RecordUpdate request) {
        Lease lease = request.lease();
        byte[] retention = millis(lease.retention());
        if (request instanceof RecordUpdate.Renew) {
            return settle(scripts.renew(), lease, List.of(millis(lease.duration()), retention));
        }
        if (request instanceof RecordUpdate.Complete complete) {
            return complete(lease, complete);
        }
        if (request instanceof RecordUpdate.Fail fail) {
            return settle(
                    scripts.fail(),
                    lease,
                    List.of(millis(fail.delay()), retention, millis(lease.duration()), number(fail.counted() ? 1 : 0)));
        }
        if (request instanceof RecordUpdate.Remember remember) {
            return steps(remembers, scripts.remember(), lease, PackedSteps.encode(remember.life(), remember.step()));
        }
        if (request instanceof RecordUpdate.Recall) {
            return steps(recalls, scripts.recall(), lease, new byte[0]);
        }
        String reason = ((RecordUpdate.Reject) request).reason();
        return settle(
                scripts.reject(),
                lease,
                List.of(retention, reason.getBytes(StandardCharsets.UTF_8), millis(lease.duration())));
    }

    private ScriptArguments complete(Lease lease, RecordUpdate.Complete update) {
        byte[] packed = PackedArguments.granted(lease, Frame.of(update.result()));
        CompletionTerms terms = new CompletionTerms(lease.retention(), update.forgetSteps());
        return new ScriptArguments(completions.of(terms, this::completeOn), lease.record(), List.of(packed));
    }

    private ScriptRun completeOn(CompletionTerms terms) {
        return new ScriptRun(
                scripts.complete(), List.of(Long.toString(terms.retention().toMillis())), terms.forgetSteps());
    }

    private static ScriptArguments steps(PreparedScript<StepTerms> prepared, Script script, Lease lease, byte[] rest) {
        StepTerms terms = new StepTerms(lease.duration(), lease.retention());
        ScriptRun run = prepared.of(terms, asked -> new ScriptRun(script, asked.shared(), true));
        return new ScriptArguments(run, lease.record(), List.of(PackedArguments.granted(lease, rest)));
    }

    private static ScriptArguments settle(Script script, Lease lease, List<byte[]> others) {
        List<byte[]> arguments = new ArrayList<>(List.of(lease.owner().toBytes(), number(lease.fence())));
        arguments.addAll(others);
        return new ScriptArguments(ScriptRun.withSteps(script), lease.record(), arguments);
    }

    public ScriptArguments reopen(RecordId record, long expectedFence, Duration retention) {
        return new ScriptArguments(
                ScriptRun.withSteps(scripts.reopen()), record, List.of(number(expectedFence), millis(retention)));
    }

    public ScriptArguments force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        byte[] state = end.name().getBytes(StandardCharsets.US_ASCII);
        return new ScriptArguments(
                ScriptRun.withSteps(scripts.force()), record, List.of(number(expectedFence), state, millis(retention)));
    }

    public ScriptArguments erase(RecordId record) {
        return new ScriptArguments(
                ScriptRun.withSteps(scripts.erase()), record, List.of(Frame.of(StoredResult.OMITTED)));
    }

    /** Returns whether replicas must have the write of the line's script, if confirmations are asked for at all. */
    public boolean mustSpread(ScriptArguments line) {
        return List.of(scripts.acquire(), scripts.renew(), scripts.complete(), scripts.reject(), scripts.remember())
                .contains(line.run().script());
    }

    /**
     * Returns the withdrawal of what an acquire was just granted. The next owner must still learn of an earlier owner
     * with an unknown outcome; for a repeated acquire the fence tells how the first grant came about.
     */
    public ScriptArguments withdraw(ScriptArguments acquire, ScriptReply granted) {
        byte[] outcome = (isKnown(acquire, granted) ? "KNOWN" : "UNKNOWN").getBytes(StandardCharsets.US_ASCII);
        return new ScriptArguments(
                ScriptRun.of(scripts.withdraw()), acquire.record(), List.of(left(acquire, granted), outcome));
    }

    private static boolean isKnown(ScriptArguments acquire, ScriptReply granted) {
        return granted.isNumber()
                || switch (granted.text(1)) {
                    case "FRESH", "RETRY" -> true;
                    case "REENTRANT" ->
                        PackedRecord.decode(acquire.record(), granted.bytes(2)).fence() % 2 == 0;
                    default -> false;
                };
    }

    /** Returns the record as the grant left it. */
    private static byte[] left(ScriptArguments acquire, ScriptReply granted) {
        if (!granted.isNumber()) {
            return granted.bytes(2);
        }
        Duration lease = Duration.ofMillis(Long.parseLong(acquire.run().shared().get(0)));
        return PackedArguments.firstGrant(acquire.arguments().get(0), granted.number(), lease);
    }

    private record CompletionTerms(Duration retention, boolean forgetSteps) {}

    private record AcquireTerms(Duration lease, Duration retention, int maxAttempts) {}

    private record StepTerms(Duration lease, Duration retention) {

        /** Returns the lease, the expiry of the record, and that of its steps, which is twice as long. */
        List<String> shared() {
            long expiry = Math.max(lease.toMillis(), retention.toMillis());
            return List.of(Long.toString(lease.toMillis()), Long.toString(expiry), Long.toString(2 * expiry));
        }
    }

    private static byte[] millis(Duration duration) {
        return number(duration.toMillis());
    }

    private static byte[] number(long value) {
        return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    }
}
