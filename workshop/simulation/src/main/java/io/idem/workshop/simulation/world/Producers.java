package io.idem.workshop.simulation.world;

import java.util.concurrent.CompletionException;

/** Publishes keys to the broker directly, until it confirms. */
record Producers(World world, Destination broker) implements Entrance {

    @Override
    public void enter(String key) {
        while (true) {
            try {
                var unused = broker.publish(key).join();
                return;
            } catch (CompletionException unconfirmed) {
                world.trace("producer: " + key + " is not confirmed");
            }
        }
    }
}
