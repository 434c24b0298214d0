/** The program of an own ZooKeeper server. */
@NullMarked
package io.idem.servers.zookeeper;

import org.jspecify.annotations.NullMarked;
