package io.idem.workshop.simulation.world;

import io.idem.IdempotencyContext;
import io.idem.OutgoingMessage;
import io.idem.Publications;
import io.idem.spi.OutgoingTransport;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The event that every payment publishes, either confirmed before COMPLETE or kept in the inbox's row. */
record Events(World world) implements OutgoingTransport {

    private static final String DESTINATION = "events";

    /** Publishes the event from within the work of a key. */
    void announce(String key) {
        IdempotencyContext.current().ifPresent(context -> announce(key, context.publications()));
    }

    private void announce(String key, Publications publications) {
        String derived = publications.nextKey(DESTINATION).value();
        String text = key + " " + derived;
        if (publications.keeping()) {
            publications.keep(new OutgoingMessage(name(), DESTINATION, text.getBytes(StandardCharsets.UTF_8)));
        } else {
            publications.track(send(text), () -> send(text));
        }
    }

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public CompletionStage<?> publish(OutgoingMessage message) {
        return send(new String(message.content(), StandardCharsets.UTF_8));
    }

    private CompletionStage<?> send(String text) {
        world.kernel().check();
        String key = text.substring(0, text.indexOf(' '));
        CompletableFuture<Boolean> confirm = new Publishing(world).publish(text, this::arrive);
        world.kernel()
                .after(
                        world.setup().policy().lease().toNanos(),
                        world.kernel().machine(),
                        () -> abandonedUnless(confirm.isDone(), key));
        return confirm.whenComplete((confirmed, failure) -> abandonedUnless(failure == null, key));
    }

    /** Records that a confirm failed, or did not come within a lease: its owner then lets the lease expire. */
    private void abandonedUnless(boolean confirmed, String key) {
        if (!confirmed) {
            world.history().abandoned(key);
        }
    }

    private void arrive(String text) {
        int space = text.indexOf(' ');
        world.trace("events: " + text);
        world.history().announced(text.substring(0, space), text.substring(space + 1));
    }
}
