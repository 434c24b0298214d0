package io.idem.consumer.internal.rabbit.publish;

/** Where a message is published to; its text is the destination from which message keys are derived. */
public record RabbitDestination(String exchange, String routingKey) {

    @Override
    public String toString() {
        return exchange + "/" + routingKey;
    }
}
