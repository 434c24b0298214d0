package io.idem.workshop.simulation.world;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The transport of a message to a broker and of its confirm back. */
record Publishing(World world) {

    private static final Duration WAY = Duration.ofMillis(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Publishes a message, which {@code arrival} makes durable. */
    CompletableFuture<Boolean> publish(String key, Consumer<String> arrival) {
        CompletableFuture<Boolean> confirm = new CompletableFuture<>();
        boolean fails = world.strikes(Fault.UNCONFIRMED, 10);
        boolean arrives = !fails || world.random().nextBoolean();
        var sender = world.kernel().machine();
        if (arrives) {
            world.kernel().soon(world.about(WAY), world.outside(), () -> {
                arrival.accept(key);
                if (!fails) {
                    world.kernel().soon(world.about(WAY), sender, () -> confirm.complete(true));
                }
            });
        }
        if (fails) {
            world.kernel()
                    .after(
                            TIMEOUT.toNanos(),
                            sender,
                            () -> confirm.completeExceptionally(new IllegalStateException("simulated: no confirm")));
        }
        return confirm;
    }
}
