package io.idem.zookeeper.autoconfigure;

/** Thrown for a setting of the store that is wrong by itself, or that ZooKeeper does not fit. */
final class RefusedSettingException extends RuntimeException {

    private final String action;

    RefusedSettingException(String description, String action) {
        super(description);
        this.action = action;
    }

    /** Returns what to do, for the failure analysis at start-up. */
    String action() {
        return action;
    }
}
