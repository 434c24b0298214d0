package io.idem.workshop.simulation.check;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.workshop.simulation.kernel.TraceEvent;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The steps of the consumers' side of a run in their order at the servers, for a comparison with the model. Attempts are named
 * as its user likes; nobody has an empty name. Not thread-safe.
 */
public final class RunLog {

    private static final String NOBODY = "";
    private static final double NANOS_PER_MILLI = 1e6;

    private final LongSupplier nanos;
    private final List<TraceEvent> events = new ArrayList<>();

    /** @param nanos time of the steps */
    public RunLog(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Returns the steps until now. */
    public List<TraceEvent> events() {
        return List.copyOf(events);
    }

    /** Records an acquire and its answer. */
    public void acquired(AcquireRequest request, String attempt, Claim answer, Seen seen) {
        String told = answer instanceof Claim.Granted granted
                ? granted.kind().name()
                : answer.getClass().getSimpleName().toUpperCase(Locale.ROOT);
        add(request.record(), "ACQUIRE", attempt, 0, told, seen);
    }

    /** Records an update and its answer. */
    public void updated(RecordUpdate request, String attempt, StoreAnswer answer, Seen seen) {
        String told = answer.getClass().getSimpleName().toUpperCase(Locale.ROOT);
        add(
                request.lease().record(),
                request.name().toUpperCase(Locale.ROOT),
                attempt,
                request.lease().fence(),
                told,
                seen);
    }

    /** Records what a fault has left of a record. */
    public void fault(RecordId record, Seen seen) {
        add(record, "FAULT", NOBODY, 0, "", seen);
    }

    /** Records that the work of an attempt took effect. */
    public void tookEffect(String key, String attempt) {
        add(key, "EFFECT", attempt);
    }

    /** Records that a message is acknowledged which an attempt has looked at. */
    public void acknowledged(String key, String attempt) {
        add(key, "ACKNOWLEDGED", attempt);
    }

    /** Records that a message became a dead letter which an attempt has looked at. */
    public void deadLettered(String key, String attempt) {
        add(key, "DEAD_LETTER", attempt);
    }

    private void add(String key, String step, String attempt) {
        events.add(new TraceEvent(now(), key, step, attempt, 0, "", false, "", 0, 0));
    }

    private void add(RecordId record, String step, String attempt, long fence, String answer, Seen seen) {
        if (record.scope().name().equals(Names.CONSUMER)) {
            Optional<RecordSnapshot> after = seen.after();
            events.add(new TraceEvent(
                    now(),
                    Names.of(record),
                    step,
                    attempt,
                    fence,
                    answer,
                    seen.due(),
                    after.map(RecordSnapshot::state).orElse(RecordState.ABSENT).name(),
                    after.map(RecordSnapshot::fence).orElse(0L),
                    after.map(RecordSnapshot::attempts).orElse(0)));
        }
    }

    private double now() {
        return nanos.getAsLong() / NANOS_PER_MILLI;
    }

    /**
     * The record before and after a step.
     *
     * @param at time of the step by the store's clock
     */
    public record Seen(Optional<RecordSnapshot> before, Instant at, Optional<RecordSnapshot> after) {

        /** Returns whether the moment in the record before has come, in whole milliseconds as stores count. */
        boolean due() {
            return before.filter(found -> !found.at().isAfter(at.truncatedTo(ChronoUnit.MILLIS)))
                    .isPresent();
        }
    }
}
