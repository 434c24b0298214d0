package io.idem.workshop.child;

import io.idem.OutgoingMessage;
import io.idem.spi.OutgoingTransport;
import java.util.concurrent.CompletionStage;

/**
 * The outgoing transport of the application, with a tripwire after sends and after confirmations. Changes nothing else.
 */
final class TransportWithTripwire implements OutgoingTransport {

    private final OutgoingTransport transport;
    private final Tripwire tripwire;

    TransportWithTripwire(OutgoingTransport transport, Tripwire tripwire) {
        this.transport = transport;
        this.tripwire = tripwire;
    }

    @Override
    public String name() {
        return transport.name();
    }

    @Override
    public CompletionStage<?> publish(OutgoingMessage message) {
        CompletionStage<?> confirmation = transport.publish(message);
        tripwire.pass(Point.RELAYED);
        return confirmation.thenApply(confirmed -> {
            tripwire.pass(Point.RELAY_CONFIRMED);
            return true;
        });
    }
}
