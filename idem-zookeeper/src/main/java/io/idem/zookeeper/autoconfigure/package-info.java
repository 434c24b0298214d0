/** Auto-configuration of ZooKeeper as the store. Open {@code ZooKeeperAutoConfiguration} first. */
@NullMarked
package io.idem.zookeeper.autoconfigure;

import org.jspecify.annotations.NullMarked;
