package io.idem.sim.world;

import io.idem.sim.kernel.Kernel;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/** Producers: publish every key until it is confirmed, and some of them more than once. */
final class Load {

    private static final Duration BETWEEN = Duration.ofMillis(1_500);

    private final World world;
    private final Destination broker;
    private int open;
    private boolean begun;

    Load(World world, Destination broker) {
        this.world = world;
        this.broker = broker;
    }

    void run() {
        begun = true;
        Kernel kernel = world.kernel();
        open = world.setup().keys();
        for (int i = 0; i < world.setup().keys(); i++) {
            String key = "k" + i;
            kernel.after(world.about(BETWEEN) * i, world.outside(), () -> produce(key));
        }
    }

    private void produce(String key) {
        publish(key);
        world.history().accepted(key);
        while (world.random().nextDouble() < world.setup().copies()) {
            world.pause(BETWEEN);
            publish(key);
        }
        open--;
    }

    private void publish(String key) {
        while (true) {
            try {
                broker.publish(key).join();
                return;
            } catch (CompletionException unconfirmed) {
                world.trace("producer: " + key + " is not confirmed");
            }
        }
    }

    boolean done() {
        return begun && open == 0;
    }
}
