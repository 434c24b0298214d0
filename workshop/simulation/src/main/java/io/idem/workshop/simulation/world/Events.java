package io.idem.workshop.simulation.world;

import io.idem.IdempotencyContext;
import io.idem.OutgoingMessage;
import io.idem.Publications;
import io.idem.spi.OutgoingTransport;
import java.nio.charset.StandardCharsets;
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
        // Without a confirm, the owner lets its lease expire.
        return new Publishing(world).publish(text, this::arrive).whenComplete((confirmed, failure) -> {
            if (failure != null) {
                world.history().abandoned(key);
            }
        });
    }

    private void arrive(String text) {
        int space = text.indexOf(' ');
        world.trace("events: " + text);
        world.history().announced(text.substring(0, space), text.substring(space + 1));
    }
}
