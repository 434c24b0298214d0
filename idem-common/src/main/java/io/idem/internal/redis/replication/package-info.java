/**
 * Waits for replicas, or for the disk, before an answer of Redis counts. Open {@code ReplicationBarrier} first.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.redis.replication;

import org.jspecify.annotations.NullMarked;
