package io.idem.zookeeper.autoconfigure;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.spi.SettledRecordCache;
import io.idem.zookeeper.ZooKeeperSettings;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * Copies of the records below one root. The root takes part in their names, so that applications with a root each see
 * no other's copies in a Redis that they share. Thread-safe if the cache is.
 */
record CopiesOfRoot(SettledRecordCache copies, String root) implements SettledRecordCache {

    /** Returns copies that other roots do not see. Those of the default root keep their plain names. */
    static SettledRecordCache of(ZooKeeperSettings settings, SettledRecordCache copies) {
        String above = new ConnectStringParser(settings.connect()).getChrootPath();
        String path = (above == null ? "" : above) + settings.root();
        return path.equals(ZooKeeperSettings.DEFAULT_ROOT) ? copies : new CopiesOfRoot(copies, path);
    }

    private RecordId named(RecordId record) {
        return new RecordId(new IdempotencyKey(root, record.key().id()), record.scope());
    }

    @Override
    public Optional<RecordSnapshot> find(RecordId record) {
        return copies.find(named(record));
    }

    @Override
    public void offer(RecordId record, RecordSnapshot settled, Duration atMost) {
        copies.offer(named(record), settled, atMost);
    }

    @Override
    public void withdraw(RecordId record, long fence, Duration remembered) {
        copies.withdraw(named(record), fence, remembered);
    }

    @Override
    public void close() {
        copies.close();
    }
}
