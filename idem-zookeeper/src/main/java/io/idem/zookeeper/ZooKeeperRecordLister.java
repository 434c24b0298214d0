package io.idem.zookeeper;

import static io.idem.internal.value.Arguments.require;
import static io.idem.zookeeper.ZooKeeperConnection.await;

import io.idem.Scope;
import io.idem.internal.record.SeenRecord;
import io.idem.spi.RecordLister;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the records in ZooKeeper in the order of the names of their nodes, and passes over nodes that idem did not
 * write. Thread-safe; blocks.
 *
 * @param zookeeper the connection, which stays the caller's, who closes it after the lister
 */
public record ZooKeeperRecordLister(ZooKeeperConnection zookeeper) implements RecordLister {

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperRecordLister.class);
    private static final String CALL = "a list of records";

    @Override
    public Page list(String cursor, int most) {
        require(cursor.equals(START) || Layout.NAME.matcher(cursor).matches(), "\"" + cursor + "\" is not a cursor");
        String after = cursor.equals(START) ? "" : cursor;
        Session session = zookeeper.session();
        long now = await(CALL, session.time());
        List<String> names = names(session, after, most);
        List<Optional<Node>> nodes = ZooKeeperConnection.nodes(CALL, session, names);
        List<Listed> live = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            nodes.get(i).flatMap(node -> listed(name, node, now)).ifPresent(live::add);
        }
        return new Page(live, names.size() < most ? START : names.get(most - 1));
    }

    private static List<String> names(Session session, String after, int most) {
        List<String> names = new ArrayList<>();
        for (String shard : await(CALL, session.children(session.layout().records()))) {
            if (after.isEmpty() || shard.compareTo(Layout.shardOf(after)) >= 0) {
                await(CALL, session.records(shard)).stream()
                        .filter(name -> name.compareTo(after) > 0)
                        .limit(most - names.size())
                        .forEach(names::add);
            }
            if (names.size() == most) {
                break;
            }
        }
        return names;
    }

    private static Optional<Listed> listed(String name, Node node, long now) {
        Optional<SeenRecord> found = node.record();
        if (found.isEmpty()) {
            LOG.warn("The node {} does not hold a record of idem's and is not listed", name);
        }
        int colon = name.indexOf(':');
        return found.filter(record -> record.isLive(now))
                .map(record ->
                        new Listed(name.substring(0, colon), record.snapshot(new Scope(name.substring(colon + 1)))));
    }

    /** Does nothing: the connection belongs to the caller. */
    @Override
    public void close() {}
}
