package io.idem.jdbc.outbox;

import io.idem.Inbox;
import io.idem.Lease;
import io.idem.RecordId;
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
    public InboxOutcome run(Lease lease, InboxWork work) throws Exception {
        InboxOutcome outcome = rows.run(lease, work);
        if (outcome instanceof InboxOutcome.Committed committed) {
            relay(lease, committed.effect());
            return new InboxOutcome.Committed(withoutMessages(committed.effect()));
        }
        return outcome;
    }

    private void relay(Lease lease, Effect effect) {
        if (!effect.outgoing().isEmpty()) {
            RecordId record = lease.record();
            relay.offer(new RelayedRow(record.key().id(), record.scope().name(), lease.fence(), effect.outgoing()));
        }
    }

    private static Effect withoutMessages(Effect effect) {
        return new Effect(effect.result(), List.of(), effect.fingerprint());
    }

    @Override
    public long fenceFloor(RecordId record) {
        return rows.fenceFloor(record);
    }

    @Override
    public boolean decidesAlone() {
        return rows.decidesAlone();
    }

    @Override
    public Duration retention() {
        return rows.retention();
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return rows.find(record);
    }
}
