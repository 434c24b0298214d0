package io.idem.zookeeper;

import static io.idem.zookeeper.ZooKeeperConnection.await;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the records of a key in all announced scopes as they were at one moment: they are read twice, until no record
 * was written in between. One answer with all of them could be too large for a packet.
 */
record KeyReader(ZooKeeperConnection zookeeper) {

    private static final int MOST_READS = 20;

    List<RecordSnapshot> read(IdempotencyKey key) {
        String call = "the inspection of key " + key.id();
        Session session = zookeeper.session();
        long now = await(call, session.time());
        List<String> scopes = await(call, session.children(session.layout().scopes()));
        List<String> names =
                scopes.stream().map(scope -> Layout.name(key, scope)).toList();
        List<Optional<Node>> before = ZooKeeperConnection.nodes(call, session, names);
        for (int reads = 1; reads < MOST_READS; reads++) {
            List<Optional<Node>> after = ZooKeeperConnection.nodes(call, session, names);
            if (writes(before).equals(writes(after))) {
                return snapshots(key, scopes, after, now);
            }
            before = after;
        }
        throw new StoreUnavailableException(
                "The records of key " + key.id() + " changed between every two reads",
                Execution.NOT_EXECUTED,
                new IllegalStateException(MOST_READS + " reads"));
    }

    /** Returns the numbers of the last writes of nodes, each of which has one of its own; 0 where there is no node. */
    private static List<Long> writes(List<Optional<Node>> nodes) {
        return nodes.stream()
                .map(node -> node.map(found -> found.stat().getMzxid()).orElse(0L))
                .toList();
    }

    private static List<RecordSnapshot> snapshots(
            IdempotencyKey key, List<String> scopes, List<Optional<Node>> nodes, long now) {
        List<RecordSnapshot> snapshots = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            String scope = scopes.get(i);
            nodes.get(i)
                    .map(node -> node.record(new RecordId(key, new Scope(scope))))
                    .filter(found -> found.isLive(now))
                    .ifPresent(found -> snapshots.add(found.snapshot(new Scope(scope))));
        }
        return snapshots;
    }
}
