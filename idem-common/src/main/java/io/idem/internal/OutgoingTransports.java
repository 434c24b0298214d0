package io.idem.internal;

import io.idem.OutgoingMessage;
import io.idem.spi.OutgoingTransport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All transports of an application: publishes each kept message with the one it was made for. Thread-safe. */
public final class OutgoingTransports {

    private final Supplier<List<OutgoingTransport>> source;
    private volatile @Nullable Map<String, OutgoingTransport> byName;

    /**
     * Transports by their names.
     *
     * @param source asked when the first message is to be published
     */
    public OutgoingTransports(Supplier<List<OutgoingTransport>> source) {
        this.source = source;
    }

    /**
     * Publishes a message. Never throws: the work behind it is committed.
     *
     * @return completes when the broker has confirmed it; exceptionally if it did not, or no transport knows the message
     */
    public CompletionStage<?> publish(OutgoingMessage message) {
        try {
            return transportOf(message).publish(message);
        } catch (RuntimeException notHandedOver) {
            return CompletableFuture.failedFuture(notHandedOver);
        }
    }

    private OutgoingTransport transportOf(OutgoingMessage message) {
        Map<String, OutgoingTransport> known = byName();
        OutgoingTransport transport = known.get(message.transport());
        if (transport == null) {
            throw new IllegalStateException("No transport named \"" + message.transport() + "\" is configured for "
                    + message + "; configured: " + known.keySet());
        }
        return transport;
    }

    private Map<String, OutgoingTransport> byName() {
        Map<String, OutgoingTransport> known = byName;
        if (known == null) {
            known = named(source.get());
            byName = known;
        }
        return known;
    }

    private static Map<String, OutgoingTransport> named(List<OutgoingTransport> transports) {
        Map<String, OutgoingTransport> named = new HashMap<>();
        for (OutgoingTransport transport : transports) {
            if (named.put(transport.name(), transport) != null) {
                throw new IllegalStateException(
                        "Two transports are named \"" + transport.name() + "\"; inbox rows could not tell them apart");
            }
        }
        return Map.copyOf(named);
    }
}
