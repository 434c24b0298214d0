package io.idem.workshop.simulation.check;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.workshop.simulation.kernel.Machine;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Checks the invariants of records at every transition, by the state before and after it. */
public final class Transitions {

    private final History history;
    private final Map<RecordId, RecordSnapshot> seen = new HashMap<>();

    public Transitions(History history) {
        this.history = history;
    }

    /** Records that a fault changed or removed the record. */
    public void lost(RecordId record) {
        seen.remove(record);
        history.recordLost(Names.of(record));
    }

    /** Checks that the record is unchanged since its last transition. */
    public void before(RecordId record, Optional<RecordSnapshot> found) {
        RecordSnapshot last = seen.get(record);
        if (last != null && !found.equals(Optional.of(last))) {
            history.violation(Names.of(record) + " was " + last.state() + " and is "
                    + found.map(RecordSnapshot::state).orElse(RecordState.ABSENT) + " without a reason");
        }
    }

    private void after(RecordId record, Optional<RecordSnapshot> before, Optional<RecordSnapshot> after) {
        if (before.isPresent() && after.isEmpty()) {
            history.violation(Names.of(record) + " is gone");
        }
        after.ifPresentOrElse(now -> seen.put(record, now), () -> seen.remove(record));
    }

    /** Records and checks an acquire. */
    public void acquired(
            AcquireRequest request,
            Claim answer,
            Optional<RecordSnapshot> before,
            Optional<RecordSnapshot> after,
            Asked asked) {
        if (answer instanceof Claim.Granted granted) {
            boolean again = before.isPresent()
                    && before.get().state() == RecordState.PENDING
                    && before.get().fence() == granted.lease().fence();
            if (!again) {
                granted(request.record(), granted, before, asked);
            }
        }
        after(request.record(), before, after);
    }

    private void granted(RecordId record, Claim.Granted granted, Optional<RecordSnapshot> before, Asked asked) {
        String name = Names.of(record);
        KeyStory story = history.of(name);
        before.ifPresent(found -> mayBeGranted(name, found, granted, asked.at()));
        long fence = granted.lease().fence();
        if (fence <= story.highestFence() && history.clockJumps() == 0) {
            history.violation(name + " was granted with fence " + fence + " after " + story.highestFence());
        }
        Grant last = story.last();
        boolean pending = before.isPresent() && before.get().state() == RecordState.PENDING;
        if (pending && last != null) {
            history.tookOver(story, last);
        } else if (pending) {
            story.tookOver();
        }
        Machine to = asked.by();
        story.granted(new Grant(fence, to, to.freezes(), story.abandonedCalls(), history.clockJumps(), asked.late()));
        history.count("grants");
    }

    private void mayBeGranted(String name, RecordSnapshot found, Claim.Granted granted, Instant now) {
        if (found.state() == RecordState.COMPLETED || found.state() == RecordState.REJECTED) {
            history.violation(name + " was granted though it is " + found.state());
        }
        if (found.state() == RecordState.PENDING && found.at().isAfter(now)) {
            history.violation(name + " was granted while a lease was live");
        }
        if (granted.lease().attempt() != found.attempts() + 1) {
            history.violation(name + " was granted as attempt "
                    + granted.lease().attempt() + " after attempt " + found.attempts());
        }
    }

    /** Records and checks a record update. */
    public void settled(
            RecordUpdate request, StoreAnswer answer, Optional<RecordSnapshot> before, Optional<RecordSnapshot> after) {
        RecordId record = request.lease().record();
        Optional<RecordState> ofThisGrant =
                before.filter(found -> found.fence() == request.lease().fence()).map(RecordSnapshot::state);
        boolean owner = ofThisGrant.equals(Optional.of(RecordState.PENDING));
        if (!owner && !Objects.equals(before, after)) {
            history.violation(Names.of(record) + " was overwritten by "
                    + request.getClass().getSimpleName() + " of somebody who does not own it: " + before + " -> "
                    + after);
        }
        Optional<RecordState> settled = settledBy(request);
        boolean repeated = settled.isPresent() && settled.equals(ofThisGrant);
        if (answer instanceof StoreAnswer.Ok && !owner && !repeated) {
            history.violation(Names.of(record) + " was left as it is by "
                    + request.getClass().getSimpleName() + " of fence "
                    + request.lease().fence() + ", which was answered Ok: " + before);
        }
        after(record, before, after);
    }

    /** Returns the state in which the record stays if the update is repeated; empty if it does not settle. */
    private static Optional<RecordState> settledBy(RecordUpdate request) {
        if (request instanceof RecordUpdate.Complete) {
            return Optional.of(RecordState.COMPLETED);
        }
        if (request instanceof RecordUpdate.Fail) {
            return Optional.of(RecordState.FAILED);
        }
        return request instanceof RecordUpdate.Reject ? Optional.of(RecordState.REJECTED) : Optional.empty();
    }

    /**
     * The caller and the time of an acquire.
     *
     * @param late whether the answer may arrive too late to be used
     */
    public record Asked(Machine by, Instant at, boolean late) {}
}
