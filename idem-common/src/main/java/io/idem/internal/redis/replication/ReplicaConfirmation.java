package io.idem.internal.redis.replication;

import io.idem.redis.ReplicationSettings;
import java.util.List;

/**
 * The confirmations of everything that the barrier's connection wrote.
 *
 * @param replicas the number of replicas that have received it
 * @param localDisks 1 if the master's append-only file has it, else 0
 * @param replicaDisks the number of replicas whose append-only file has it
 */
record ReplicaConfirmation(long replicas, long localDisks, long replicaDisks) {

    static final ReplicaConfirmation NONE = new ReplicaConfirmation(0, 0, 0);

    static ReplicaConfirmation of(long replicas, List<Object> disks) {
        return disks.isEmpty()
                ? new ReplicaConfirmation(replicas, 0, 0)
                : new ReplicaConfirmation(replicas, (Long) disks.get(0), (Long) disks.get(1));
    }

    boolean satisfies(ReplicationSettings wanted) {
        return replicas >= wanted.replicas()
                && localDisks >= wanted.localDisks()
                && replicaDisks >= wanted.syncedReplicas();
    }

    /** Returns the confirmations beside those that were asked for, for messages. */
    String beside(ReplicationSettings wanted) {
        String received = "%d of %d replicas have received it".formatted(replicas, wanted.replicas());
        return wanted.asksDisks()
                ? received
                        + ", %d of %d masters and %d of %d replicas have synced it"
                                .formatted(localDisks, wanted.localDisks(), replicaDisks, wanted.syncedReplicas())
                : received;
    }
}
