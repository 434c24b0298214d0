/**
 * ZooKeeper as a store of records. Open {@link io.idem.zookeeper.ZooKeeperIdempotencyStore} first; {@link
 * io.idem.zookeeper.ZooKeeperConnection} is what it, the lister and the cleaner speak through.
 */
@NullMarked
package io.idem.zookeeper;

import org.jspecify.annotations.NullMarked;
