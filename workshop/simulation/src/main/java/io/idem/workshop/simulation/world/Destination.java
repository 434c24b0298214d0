package io.idem.workshop.simulation.world;

import java.util.concurrent.CompletableFuture;

/** A broker to which messages are published. */
interface Destination {

    /** Publishes a message; the future completes when the broker confirms. */
    CompletableFuture<Boolean> publish(String key);

    /** Returns whether no message is stored or on its way to a consumer. */
    boolean isEmpty();

    /** Adds a process as a consumer. */
    void consume(Worker worker);

    /** Injects a fault into one of the consumers. */
    void disturb();
}
