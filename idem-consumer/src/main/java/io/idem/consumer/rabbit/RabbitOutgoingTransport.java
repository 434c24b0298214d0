package io.idem.consumer.rabbit;

import io.idem.spi.OutgoingMessage;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Publishes to RabbitMQ what inbox rows kept. Thread-safe. */
public final class RabbitOutgoingTransport implements OutgoingTransport {

    private final PropagatingRabbitTemplate template;
    private final Duration confirmTimeout;

    /**
     * A transport.
     *
     * @param template also applies its own post processors to what was kept
     * @param confirmTimeout how long the broker's answer may take
     */
    public RabbitOutgoingTransport(PropagatingRabbitTemplate template, Duration confirmTimeout) {
        this.template = template;
        this.confirmTimeout = confirmTimeout;
    }

    @Override
    public String name() {
        return RabbitDeliveredMessage.TRANSPORT;
    }

    @Override
    public CompletionStage<?> publish(OutgoingMessage message) {
        try {
            OutgoingRabbitMessage kept = OutgoingRabbitMessage.decode(message);
            return template.publish(kept.destination(), kept.message())
                    .orTimeout(confirmTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException unreadable) {
            return CompletableFuture.failedFuture(unreadable);
        }
    }
}
