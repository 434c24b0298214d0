package io.idem.jdbc.outbox;

import io.idem.IdempotencyContext;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import io.idem.jdbc.inbox.JdbcInbox;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Passes the messages of committed work to the relay, so that no caller waits for a broker. */
final class RelayedInbox implements Inbox {

    private final JdbcInbox rows;
    private final OutboxRelay relay;

    /** @param rows writes rows in such a way that the relay finds them */
    RelayedInbox(JdbcInbox rows, OutboxRelay relay) {
        this.rows = rows;
        this.relay = relay;
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        FencedWork fenced = new FencedWork(work);
        InboxOutcome outcome = rows.run(request, fenced);
        return relayed(request.record(), fenced.fence, outcome);
    }

    private InboxOutcome relayed(RecordId record, long fence, InboxOutcome outcome) {
        if (outcome instanceof InboxOutcome.Committed committed) {
            relay(record, fence, committed.effect());
            return new InboxOutcome.Committed(withoutMessages(committed.effect()));
        }
        return outcome;
    }

    private void relay(RecordId record, long fence, Effect effect) {
        if (!effect.outgoing().isEmpty()) {
            relay.offer(new RelayedRow(record.key().id(), record.scope().name(), fence, effect.outgoing()));
        }
    }

    private static Effect withoutMessages(Effect effect) {
        return new Effect(effect.result(), List.of(), effect.fingerprint());
    }

    @Override
    public Optional<LastPhase> lastPhase() {
        return rows.lastPhase().map(RelayedPhase::new);
    }

    @Override
    public void remove(RecordId record, OwnerToken owner) {
        rows.remove(record, owner);
    }

    @Override
    public boolean failsOpen() {
        return rows.failsOpen();
    }

    @Override
    public Optional<Failures> failures() {
        return rows.failures();
    }

    @Override
    public Duration retention() {
        return rows.retention();
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return rows.find(record);
    }

    /** Work that remembers the fence of its row. Used by one thread. */
    private static final class FencedWork implements InboxWork {

        private final InboxWork work;
        private long fence;

        FencedWork(InboxWork work) {
            this.work = work;
        }

        @Override
        public Optional<Effect> run(Lease claimed) throws Exception {
            fence = claimed.fence();
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

    /** Transactions whose messages go to the relay. */
    private final class RelayedPhase implements LastPhase {

        private final LastPhase phase;

        RelayedPhase(LastPhase phase) {
            this.phase = phase;
        }

        @Override
        public void check() {
            phase.check();
        }

        @Override
        public void requireNoTransaction() {
            phase.requireNoTransaction();
        }

        @Override
        public StoreAnswer recall(Lease lease) {
            return phase.recall(lease);
        }

        @Override
        public StoreAnswer remember(Lease lease, RememberedStep step) {
            return phase.remember(lease, step);
        }

        @Override
        public RememberedSteps steps(RecordId record) {
            return phase.steps(record);
        }

        @Override
        public Beginning begin(Request request) {
            Beginning beginning = phase.begin(request);
            return beginning instanceof Beginning.Begun begun
                    ? new RelayedTransaction(request.record(), begun)
                    : beginning;
        }
    }

    /** A transaction whose messages go to the relay when it has committed. */
    private final class RelayedTransaction implements Beginning.Begun {

        private final RecordId record;
        private final Beginning.Begun transaction;

        RelayedTransaction(RecordId record, Beginning.Begun transaction) {
            this.record = record;
            this.transaction = transaction;
        }

        @Override
        public Lease lease() {
            return transaction.lease();
        }

        @Override
        public InboxOutcome commit(InboxWork work, Effect effect) {
            return relayed(record, lease().fence(), transaction.commit(work, effect));
        }

        @Override
        public void rollBack() {
            transaction.rollBack();
        }
    }
}
