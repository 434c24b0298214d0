package io.idem.zookeeper;

/**
 * Thrown at the start for a ZooKeeper that answers and cannot be used: the root may not be created or written, or the
 * path of the connect string does not exist; or for a client that takes no full record. The message says what to do.
 */
public final class UnsuitableZooKeeperException extends RuntimeException {

    UnsuitableZooKeeperException(String message) {
        super(message);
    }

    UnsuitableZooKeeperException(String message, Throwable cause) {
        super(message, cause);
    }
}
