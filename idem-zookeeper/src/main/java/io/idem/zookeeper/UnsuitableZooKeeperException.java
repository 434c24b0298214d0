package io.idem.zookeeper;

import io.idem.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown at the start for a ZooKeeper that answers and cannot be used: the root may not be created or written, or the
 * path of the connect string does not exist; or for a client that takes no full record. The message says what to do.
 */
public final class UnsuitableZooKeeperException extends ConfigurationException {

    UnsuitableZooKeeperException(String message, @Nullable Throwable cause) {
        super(message, "Change ZooKeeper, or the settings under idem.zookeeper, and start again", cause);
    }
}
