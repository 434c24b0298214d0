package io.idem.engine;

import io.idem.CommitUnknownException;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** An inbox with its rows in a map; a commit is a line in the order of events. */
public final class MapInbox implements Inbox {

    private final List<String> order;
    private final Map<RecordId, Effect> rows = new HashMap<>();
    private final Map<RecordId, OwnerToken> owners = new HashMap<>();
    private boolean connectionBreaksAtCommit;
    private boolean connectionBreaksAtStart;
    private boolean transactionOpen;
    private long leastFence;

    /** Creates an inbox whose commits are noted nowhere. */
    public MapInbox() {
        this(new ArrayList<>());
    }

    MapInbox(List<String> order) {
        this.order = order;
    }

    /** The rows by their records; a row may be put in. */
    public Map<RecordId, Effect> rows() {
        return rows;
    }

    void breakConnectionAtCommit() {
        connectionBreaksAtCommit = true;
    }

    void connectionBreaksAtStart(boolean breaks) {
        connectionBreaksAtStart = breaks;
    }

    /** Leaves a transaction of another owner open for every record. */
    MapInbox withOpenTransaction() {
        transactionOpen = true;
        return this;
    }

    /** Gives rows no lower fence than this. */
    void leastFenceIs(long fence) {
        leastFence = fence;
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        RecordId record = request.record();
        requireConnection();
        if (transactionOpen) {
            return new InboxOutcome.Open();
        }
        if (rows.containsKey(record)) {
            Effect found = rows.get(record);
            return found.again()
                    ? new InboxOutcome.Again(found, Objects.requireNonNull(owners.get(record)))
                    : new InboxOutcome.Found(found);
        }
        Optional<Effect> effect = work.run(claimed(request.lease()));
        if (effect.isEmpty()) {
            return new InboxOutcome.RolledBack();
        }
        if (connectionBreaksAtCommit) {
            throw new CommitUnknownException(record, new IllegalStateException("connection reset"));
        }
        Effect written = work.beforeCommit(effect.get());
        order.add("commit");
        rows.put(record, new Effect(written.result(), written.outgoing(), request.fingerprint()));
        owners.put(record, request.lease().owner());
        return new InboxOutcome.Committed(written);
    }

    @Override
    public void remove(RecordId record, OwnerToken owner) {
        order.add("remove");
        rows.computeIfPresent(record, (of, row) -> row.again() && owner.equals(owners.get(of)) ? null : row);
    }

    private void requireConnection() {
        if (connectionBreaksAtStart) {
            throw new StoreUnavailableException(
                    "no database", Execution.NOT_EXECUTED, new IllegalStateException("ordered by a test"));
        }
    }

    private Lease claimed(Lease lease) {
        return lease.claimed(lease.attempt(), () -> {
            order.add("fence");
            return Math.max(lease.fence(), leastFence);
        });
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        requireConnection();
        return Optional.ofNullable(rows.get(record));
    }
}
