package io.idem.workshop.simulation.world;

import java.util.concurrent.CompletableFuture;

/** Where messages are published. */
interface Destination {

    /** Publishes; the answer completes when the broker confirms. */
    CompletableFuture<Boolean> publish(String key);

    /** Whether nothing is left in it or on its way to a consumer. */
    boolean isEmpty();

    /** A process that consumes from now on. */
    void consume(Worker worker);

    /** Something goes wrong with one of its consumers. */
    void disturb();
}
