package io.idem.workshop.simulation.world;

import io.idem.IdempotencyContext;
import java.time.Duration;
import java.util.SplittableRandom;

/** The work of one key, which takes time, may have steps, may fail, writes a row and publishes an event. */
record PaymentWork(World world, Database database, Events events, Steps steps) {

    private static final Duration USUAL = Duration.ofMillis(100);
    private static final String POISON = "k0";

    String pay(String key) {
        Setup setup = world.setup();
        SplittableRandom random = world.random();
        boolean fails = (setup.poison() && key.equals(POISON)) || random.nextDouble() < setup.failing();
        world.trace(world.kernel().machine() + " works on " + key);
        world.history().count("runs");
        world.pause(USUAL);
        if (random.nextDouble() < setup.slow()) {
            world.pause(setup.policy().lease().multipliedBy(2));
        }
        world.step("in the work of " + key);
        if (setup.steps()) {
            IdempotencyContext.current().ifPresent(steps::run);
        }
        if (fails) {
            world.trace(world.kernel().machine() + " fails on " + key);
            world.history().workFailed(key);
            throw new IllegalStateException("simulated: " + key + " fails");
        }
        database.write(key);
        events.announce(key);
        return "done by " + world.kernel().machine();
    }
}
