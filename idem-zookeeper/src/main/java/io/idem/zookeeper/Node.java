package io.idem.zookeeper;

import io.idem.RecordId;
import io.idem.UnreadableRecordException;
import io.idem.internal.record.SeenRecord;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/** The bytes of a node, which nobody changes, and what ZooKeeper keeps beside them. */
@SuppressWarnings("ArrayRecordComponent") // nodes are never compared
record Node(byte[] data, Stat stat) {

    /** Returns the record in the node; empty if the node holds something else. */
    Optional<SeenRecord> record() {
        return Optional.ofNullable(RecordBytes.decode(data))
                .map(stored -> new SeenRecord(stored, stat.getMtime(), stat.getVersion()));
    }

    /** Returns the record in the node, which must hold one. */
    SeenRecord record(RecordId record) {
        return record().orElseThrow(() ->
                new UnreadableRecordException(record, data.length + " bytes that are no record of idem's"));
    }
}
