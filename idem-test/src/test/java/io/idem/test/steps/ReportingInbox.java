package io.idem.test.steps;

import io.idem.Inbox;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** An inbox that tells the work what was remembered. Changes no answer. */
record ReportingInbox(Inbox inbox, Map<RecordId, StoppableWork> works) implements Inbox {

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        return inbox.run(request, work);
    }

    @Override
    public void remove(RecordId record, OwnerToken owner) {
        inbox.remove(record, owner);
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return inbox.find(record);
    }

    @Override
    public boolean keepsRecords() {
        return inbox.keepsRecords();
    }

    @Override
    public Optional<Failures> failures() {
        return inbox.failures();
    }

    @Override
    public Optional<LastPhase> lastPhase() {
        return inbox.lastPhase().map(phases -> new ReportingPhases(phases, keepsRecords(), works));
    }

    /** The steps of such an inbox. */
    private record ReportingPhases(LastPhase phases, boolean keepsRecords, Map<RecordId, StoppableWork> works)
            implements LastPhase {

        @Override
        public void check() {
            phases.check();
        }

        @Override
        public void requireNoTransaction() {
            phases.requireNoTransaction();
        }

        @Override
        public StoreAnswer recall(Lease lease) {
            return phases.recall(lease);
        }

        @Override
        public StoreAnswer remember(Lease lease, RememberedStep step) {
            StoreAnswer answer = phases.remember(lease, step);
            if (answer instanceof StoreAnswer.Ok && step.kind() == Kind.DONE) {
                Objects.requireNonNull(works.get(lease.record())).remembered(step.id());
            }
            return answer;
        }

        @Override
        public RememberedSteps steps(RecordId record) {
            return phases.steps(record);
        }

        @Override
        public Beginning begin(Request request) {
            Beginning beginning = phases.begin(request);
            return keepsRecords && beginning instanceof Beginning.Begun begun
                    ? new ReportingTransaction(begun, Objects.requireNonNull(works.get(request.record())))
                    : beginning;
        }
    }

    /** A transaction whose commit completes the record. */
    private record ReportingTransaction(Beginning.Begun begun, StoppableWork stoppable) implements Beginning.Begun {

        @Override
        public Lease lease() {
            return begun.lease();
        }

        @Override
        public InboxOutcome commit(InboxWork work, Effect effect) {
            InboxOutcome outcome = begun.commit(work, effect);
            if (outcome instanceof InboxOutcome.Committed) {
                stoppable.pass(Boundary.BEFORE_ACKNOWLEDGING, Stop.FIRST_STEP);
            }
            return outcome;
        }

        @Override
        public void rollBack() {
            begun.rollBack();
        }
    }
}
