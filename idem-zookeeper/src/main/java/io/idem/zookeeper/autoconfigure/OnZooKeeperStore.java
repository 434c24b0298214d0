package io.idem.zookeeper.autoconfigure;

import io.idem.internal.spring.OnStore;

/** Matches if {@code idem.store} asks for ZooKeeper, alone or behind Redis. */
final class OnZooKeeperStore extends OnStore {

    OnZooKeeperStore() {
        super("zookeeper");
    }
}
