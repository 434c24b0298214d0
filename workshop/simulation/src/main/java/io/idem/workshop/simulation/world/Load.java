package io.idem.workshop.simulation.world;

import io.idem.workshop.simulation.kernel.Kernel;
import java.time.Duration;

/** Sends every key, and some of them more than once. */
final class Load {

    private static final Duration BETWEEN = Duration.ofMillis(1_500);

    private final World world;
    private final Entrance entrance;
    private int open;
    private boolean begun;

    Load(World world, Entrance entrance) {
        this.world = world;
        this.entrance = entrance;
    }

    void run() {
        begun = true;
        Kernel kernel = world.kernel();
        open = world.setup().keys();
        for (int i = 0; i < world.setup().keys(); i++) {
            String key = "k" + i;
            kernel.after(world.about(BETWEEN) * i, world.outside(), () -> bring(key));
        }
    }

    private void bring(String key) {
        entrance.enter(key);
        world.history().accepted(key);
        while (world.random().nextDouble() < world.setup().copies()) {
            world.pause(BETWEEN);
            entrance.enter(key);
        }
        open--;
    }

    boolean done() {
        return begun && open == 0;
    }
}
