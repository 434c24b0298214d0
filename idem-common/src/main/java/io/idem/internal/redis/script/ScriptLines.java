package io.idem.internal.redis.script;

import io.idem.AcquireRequest;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.SettleRequest;
import io.idem.StoredResult;
import io.idem.internal.redis.client.Script;
import io.idem.spi.ForcedEnd;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Puts requests into the arguments that the headers of the scripts ask for. */
public final class ScriptLines {

    private final Scripts scripts;
    private final LatestUse<AcquireTerms> acquires = new LatestUse<>();
    private final LatestUse<Duration> completions = new LatestUse<>();

    public ScriptLines(Scripts scripts) {
        this.scripts = scripts;
    }

    public ScriptLine acquire(AcquireRequest request) {
        ScriptUse use = acquires.of(
                new AcquireTerms(request.lease(), request.retention(), request.maxAttempts()), this::acquireOn);
        return new ScriptLine(use, request.record(), List.of(PackedArguments.asked(request)));
    }

    private ScriptUse acquireOn(AcquireTerms terms) {
        long lease = terms.lease().toMillis();
        long expiry = Math.max(lease, terms.retention().toMillis());
        return new ScriptUse(
                scripts.acquire(),
                List.of(Long.toString(lease), Long.toString(expiry), Integer.toString(terms.maxAttempts())));
    }

    public ScriptLine settle(SettleRequest request) {
        Lease lease = request.lease();
        byte[] retention = millis(lease.retention());
        if (request instanceof SettleRequest.Renew) {
            return settle(scripts.renew(), lease, millis(lease.duration()), retention);
        }
        if (request instanceof SettleRequest.Complete complete) {
            return complete(lease, complete.result());
        }
        if (request instanceof SettleRequest.Fail fail) {
            return settle(scripts.fail(), lease, millis(fail.delay()), retention);
        }
        String reason = ((SettleRequest.Reject) request).reason();
        return settle(scripts.reject(), lease, retention, reason.getBytes(StandardCharsets.UTF_8));
    }

    private ScriptLine complete(Lease lease, StoredResult result) {
        byte[] packed = PackedArguments.granted(lease, PackedRecord.encode(result));
        return new ScriptLine(completions.of(lease.retention(), this::completeFor), lease.record(), List.of(packed));
    }

    private ScriptUse completeFor(Duration retention) {
        return new ScriptUse(scripts.complete(), List.of(Long.toString(retention.toMillis())));
    }

    private static ScriptLine settle(Script script, Lease lease, byte[] third, byte[] fourth) {
        return new ScriptLine(
                ScriptUse.of(script),
                lease.record(),
                List.of(lease.owner().toBytes(), number(lease.fence()), third, fourth));
    }

    public ScriptLine reopen(RecordId record, long expectedFence, Duration retention) {
        return new ScriptLine(
                ScriptUse.of(scripts.reopen()), record, List.of(number(expectedFence), millis(retention)));
    }

    public ScriptLine force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        byte[] state = end.name().getBytes(StandardCharsets.US_ASCII);
        return new ScriptLine(
                ScriptUse.of(scripts.force()), record, List.of(number(expectedFence), state, millis(retention)));
    }

    public ScriptLine erase(RecordId record) {
        return new ScriptLine(
                ScriptUse.of(scripts.erase()), record, List.of(PackedRecord.encode(StoredResult.OMITTED)));
    }

    /** Whether a replica must have what the line's script writes, if replicas are asked at all. */
    public boolean mustSpread(ScriptLine line) {
        return List.of(scripts.acquire(), scripts.renew(), scripts.complete(), scripts.reject())
                .contains(line.use().script());
    }

    /**
     * Takes back what an acquire was just granted. Whoever takes over an owner of unknown outcome must go on hearing of it; of a repeated
     * acquire the fence tells how the first one began.
     */
    public ScriptLine withdraw(ScriptLine acquire, ScriptReply granted) {
        byte[] outcome = (isKnown(acquire, granted) ? "KNOWN" : "UNKNOWN").getBytes(StandardCharsets.US_ASCII);
        return new ScriptLine(
                ScriptUse.of(scripts.withdraw()), acquire.record(), List.of(left(acquire, granted), outcome));
    }

    private static boolean isKnown(ScriptLine acquire, ScriptReply granted) {
        return granted.isNumber()
                || switch (granted.text(1)) {
                    case "FRESH", "RETRY" -> true;
                    case "REENTRANT" ->
                        PackedRecord.decode(acquire.record(), granted.bytes(2)).fence() % 2 == 0;
                    default -> false;
                };
    }

    /** The record as the grant left it. */
    private static byte[] left(ScriptLine acquire, ScriptReply granted) {
        if (!granted.isNumber()) {
            return granted.bytes(2);
        }
        Duration lease = Duration.ofMillis(Long.parseLong(acquire.use().shared().get(0)));
        return PackedArguments.firstGrant(acquire.arguments().get(0), granted.number(), lease);
    }

    private record AcquireTerms(Duration lease, Duration retention, int maxAttempts) {}

    private static byte[] millis(Duration duration) {
        return number(duration.toMillis());
    }

    private static byte[] number(long value) {
        return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    }
}
