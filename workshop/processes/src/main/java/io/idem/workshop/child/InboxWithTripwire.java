package io.idem.workshop.child;

import io.idem.IdempotencyContext;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import java.time.Duration;
import java.util.Optional;

/**
 * The inbox of the application where it is the only store, with a tripwire before its claims, after them, and after its
 * answers. It has no {@link Point#BEGUN} and no {@link Point#CONFIRMED}: the claim begins the transaction, and the commit
 * completes the record. Changes no answer.
 */
final class InboxWithTripwire implements Inbox {

    private final Inbox inbox;
    private final Tripwire tripwire;
    private final CurrentRecord current;

    InboxWithTripwire(Inbox inbox, Tripwire tripwire, CurrentRecord current) {
        this.inbox = inbox;
        this.tripwire = tripwire;
        this.current = current;
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        RecordId record = request.record();
        tripwire.pass(Point.ACQUIRING, record);
        InboxOutcome outcome = runWatched(request, work);
        if (outcome instanceof InboxOutcome.Committed || outcome instanceof InboxOutcome.Found) {
            tripwire.pass(Point.COMPLETED, record);
            current.settled(record);
        }
        return outcome;
    }

    private InboxOutcome runWatched(Request request, InboxWork work) throws Exception {
        try {
            return inbox.run(request, new TrippingWork(work));
        } finally {
            current.end();
        }
    }

    /** Work with a tripwire after its claim. */
    private final class TrippingWork implements InboxWork {

        private final InboxWork work;

        TrippingWork(InboxWork work) {
            this.work = work;
        }

        @Override
        public Optional<Effect> run(Lease claimed) throws Exception {
            current.begin(claimed.record());
            tripwire.pass(Point.GRANTED, claimed.record());
            return work.run(claimed);
        }

        @Override
        public IdempotencyContext.Binding bind() {
            return work.bind();
        }

        @Override
        public Effect beforeCommit(Effect effect) {
            return work.beforeCommit(effect);
        }

        @Override
        public void afterCommit() {
            work.afterCommit();
        }
    }

    @Override
    public void remove(RecordId record, OwnerToken owner) {
        inbox.remove(record, owner);
    }

    @Override
    public boolean keepsRecords() {
        return inbox.keepsRecords();
    }

    @Override
    public Duration retention() {
        return inbox.retention();
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return inbox.find(record);
    }

    @Override
    public Optional<Failures> failures() {
        return inbox.failures();
    }
}
