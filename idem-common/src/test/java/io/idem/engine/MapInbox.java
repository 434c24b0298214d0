package io.idem.engine;

import io.idem.CommitUnknownException;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.RecordId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An inbox with its rows in a map; a commit is a line in the order of events. */
public final class MapInbox implements Inbox {

    private final List<String> order;
    private final Map<RecordId, Effect> rows = new HashMap<>();
    private boolean connectionBreaksAtCommit;
    private boolean connectionBreaksAtStart;
    private boolean transactionOpen;
    private boolean decidesAlone;
    private long fenceFloor;

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

    /** Runs work also while the store is unreachable. */
    public MapInbox decidingAlone() {
        decidesAlone = true;
        return this;
    }

    void fenceFloorIs(long fence) {
        fenceFloor = fence;
    }

    @Override
    public InboxOutcome run(Lease lease, InboxWork work) throws Exception {
        if (connectionBreaksAtStart) {
            throw new IllegalStateException("no database");
        }
        if (transactionOpen) {
            return new InboxOutcome.Open();
        }
        if (rows.containsKey(lease.record())) {
            return new InboxOutcome.Found(rows.get(lease.record()));
        }
        Optional<Effect> effect = work.run();
        if (effect.isEmpty()) {
            return new InboxOutcome.RolledBack();
        }
        if (connectionBreaksAtCommit) {
            throw new CommitUnknownException(lease.record(), new IllegalStateException("connection reset"));
        }
        order.add("commit");
        rows.put(lease.record(), effect.get());
        return new InboxOutcome.Committed(effect.get());
    }

    @Override
    public long fenceFloor(RecordId record) {
        return fenceFloor;
    }

    @Override
    public boolean decidesAlone() {
        return decidesAlone;
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return Optional.ofNullable(rows.get(record));
    }
}
