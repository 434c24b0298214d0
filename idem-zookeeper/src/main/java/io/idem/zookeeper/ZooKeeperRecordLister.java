package io.idem.zookeeper;

import io.idem.Scope;
import io.idem.spi.RecordLister;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the records in ZooKeeper in the order of the names of their nodes, and passes over nodes that idem did not
 * write. Thread-safe; blocks.
 */
public final class ZooKeeperRecordLister implements RecordLister {

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperRecordLister.class);
    private static final String CALL = "a list of records";

    private final ZooKeeperConnection zookeeper;

    /** Creates a lister. The connection stays the caller's, who closes it after the lister. */
    public ZooKeeperRecordLister(ZooKeeperConnection zookeeper) {
        this.zookeeper = zookeeper;
    }

    @Override
    public Page list(String cursor, int most) {
        if (!cursor.equals(START) && !Shards.NAME.matcher(cursor).matches()) {
            throw new IllegalArgumentException("\"" + cursor + "\" is not a cursor");
        }
        String after = cursor.equals(START) ? "" : cursor;
        long now = zookeeper.await(CALL, zookeeper::time);
        List<String> names = names(after, most);
        List<Optional<Node>> nodes = zookeeper.await(CALL, () -> NodeReads.all(zookeeper, names));
        List<Listed> live = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Matcher name = Shards.NAME.matcher(names.get(i));
            if (name.matches() && nodes.get(i).isPresent()) {
                record(name, nodes.get(i).get(), now).ifPresent(live::add);
            }
        }
        return new Page(live, names.size() < most ? START : names.get(most - 1));
    }

    private List<String> names(String after, int most) {
        List<String> names = new ArrayList<>();
        for (String shard : zookeeper.await(CALL, () -> Shards.all(zookeeper))) {
            if (after.isEmpty() || shard.compareTo(Layout.shardOf(after)) >= 0) {
                zookeeper.await(CALL, () -> Shards.names(zookeeper, shard)).stream()
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

    private static Optional<Listed> record(Matcher name, Node node, long now) {
        Optional<SeenRecord> found = node.record();
        if (found.isEmpty()) {
            LOG.warn("The node {} does not hold a record of idem's and is not listed", name.group());
        }
        return found.filter(record -> record.keptUntil() > now)
                .map(record -> new Listed(name.group(1), record.snapshot(new Scope(name.group(2)))));
    }

    /** Does nothing: the connection belongs to the caller. */
    @Override
    public void close() {}
}
