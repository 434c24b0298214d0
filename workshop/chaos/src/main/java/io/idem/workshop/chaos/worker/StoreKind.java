package io.idem.workshop.chaos.worker;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The store of the workers of a run. */
public enum StoreKind {
    /** Redis: an intake accepts the messages, and some lanes have an inbox beside it. */
    REDIS,
    /**
     * The inbox in the database of the work, alone. There is no Redis, and no intake, which has no database: clients
     * publish to the brokers and repeat what was not confirmed.
     */
    INBOX;

    /** Returns the lanes of the workers. */
    public List<Lane> lanes() {
        return Arrays.stream(Lane.values()).filter(lane -> lane.store() == this).toList();
    }

    /** Returns the lanes on RabbitMQ. */
    public List<Lane> rabbitLanes() {
        return lanes().stream().filter(Lane::rabbit).toList();
    }

    /** Returns the settings that choose the store. */
    public Map<String, String> settings() {
        return this == INBOX ? Map.of("idem.store", id()) : Map.of();
    }

    /** Returns the name on the command line and in settings. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
