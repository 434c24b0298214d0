package io.idem.test.rabbit;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.test.Delivered;
import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.support.converter.MessageConverter;

/**
 * Passes messages to the application's {@code @RabbitListener} methods on the calling thread, through their own
 * containers: advice chains, converters, retries and idem's guard are those of production. The broker is not called, so
 * none is needed; stopped containers hand back at once what would have to wait. Listeners of batches and containers
 * with a transaction manager need a broker. Thread-safe.
 */
public final class RabbitDeliveries {

    private final TestIdempotency idempotency;
    private final Supplier<RabbitListenerEndpointRegistry> registry;
    private final Supplier<MessageConverter> converter;

    /**
     * Creates the deliveries of an application; {@link io.idem.test.spring.IdempotencyTest} does so for tests.
     *
     * @param registry knows the containers; obtained for each delivery
     * @param converter converts bodies that are not a {@link Message}; obtained for each of them
     */
    public RabbitDeliveries(
            TestIdempotency idempotency,
            Supplier<RabbitListenerEndpointRegistry> registry,
            Supplier<MessageConverter> converter) {
        this.idempotency = idempotency;
        this.registry = registry;
        this.converter = converter;
    }

    /**
     * Returns a rehearsal of a message under an idempotency key, in the form that the application's message converter
     * gives it.
     */
    public Rehearsal<Delivered> message(String queue, String key, Object body) {
        MessageProperties properties = new MessageProperties();
        properties.setHeader(IdempotencyHeaders.KEY, key);
        return message(queue, converter.get().toMessage(body, properties));
    }

    /**
     * Returns a rehearsal of a given message. Every delivery gets a copy.
     *
     * @throws IllegalArgumentException at delivery, if no listener listens to the queue
     */
    public Rehearsal<Delivered> message(String queue, Message message) {
        return idempotency.rehearse(() -> new StoppedContainer(listeningTo(queue)).deliver(queue, message));
    }

    private AbstractMessageListenerContainer listeningTo(String queue) {
        return containers()
                .filter(container -> List.of(container.getQueueNames()).contains(queue))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No @RabbitListener listens to queue \"" + queue
                        + "\"; listened to are "
                        + containers()
                                .flatMap(container -> Stream.of(container.getQueueNames()))
                                .toList()));
    }

    private Stream<AbstractMessageListenerContainer> containers() {
        return registry.get().getListenerContainers().stream()
                .filter(AbstractMessageListenerContainer.class::isInstance)
                .map(AbstractMessageListenerContainer.class::cast);
    }
}
