package io.idem.consumer.internal.rabbit.publish;

/** Exchange and routing key of a publication; its text is the destination from which message keys are derived. */
public record RabbitDestination(String exchange, String routingKey) {

    @Override
    public String toString() {
        return exchange + "/" + routingKey;
    }
}
