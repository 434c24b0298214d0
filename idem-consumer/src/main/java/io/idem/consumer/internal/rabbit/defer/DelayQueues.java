package io.idem.consumer.internal.rabbit.defer;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.send.ConfirmedPublisher;
import io.idem.consumer.rabbit.DeferralSettings;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;

/**
 * The delay queues of the queues that one container listens to, on that container's own broker. Prepared, by a
 * declaration or a passive one, before the container starts; where the broker cannot be reached by then, and where a
 * queue has vanished since, when a message needs it. Thread-safe; blocks on the broker.
 */
final class DelayQueues {

    private static final Logger LOG = LoggerFactory.getLogger(DelayQueues.class);

    private final DeferralSettings settings;
    private final RabbitAdmin admin;
    private final ConfirmedPublisher publisher;
    private final Set<String> ready = ConcurrentHashMap.newKeySet();

    /** Makes the queues over a connection. */
    DelayQueues(DeferralSettings settings, ConnectionFactory connectionFactory, Duration confirmTimeout) {
        this.settings = settings;
        this.admin = new RabbitAdmin(connectionFactory);
        this.publisher = new ConfirmedPublisher(connectionFactory, confirmTimeout);
    }

    /**
     * Prepares the queue of a target before messages come.
     *
     * @throws ListenerConfigurationException if it cannot be declared or, where it should be there already, is not
     */
    void prepare(String target) {
        try {
            makeReady(new DelayQueue(target, settings.delay()));
        } catch (AmqpConnectException unreachable) {
            LOG.warn("The broker cannot be reached yet; the delay queue of \"{}\" is made when it is needed", target);
        }
    }

    /** Moves a copy of a message to the delay queue of its queue, and returns whether it is durable there. */
    boolean takeOver(Delivery delivery) {
        String target = delivery.message().origin();
        DelayQueue queue = new DelayQueue(target, settings.delay());
        if (isReady(queue)
                && publisher.publish(
                        "The delayed copy of " + delivery,
                        new RabbitDestination("", queue.name()),
                        DelayedMessage.of((Message) delivery.message().source(), queue))) {
            return true;
        }
        ready.remove(target);
        return false;
    }

    private boolean isReady(DelayQueue queue) {
        try {
            makeReady(queue);
            return true;
        } catch (AmqpException | ListenerConfigurationException unusable) {
            LOG.warn("Delay queue \"{}\" cannot be used; its messages wait in place", queue.name(), unusable);
            return false;
        }
    }

    private void makeReady(DelayQueue queue) {
        if (ready.contains(queue.target())) {
            return;
        }
        if (settings.declare()) {
            declare(queue);
        } else if (admin.getQueueInfo(queue.name()) == null) {
            throw refused(queue, "is not there", null);
        }
        ready.add(queue.target());
    }

    private void declare(DelayQueue queue) {
        try {
            admin.declareQueue(queue.declaration(settings.type()));
        } catch (AmqpConnectException unreachable) {
            throw unreachable;
        } catch (AmqpException other) {
            throw refused(queue, "cannot be declared", other);
        }
    }

    private static ListenerConfigurationException refused(DelayQueue queue, String problem, @Nullable Throwable cause) {
        return new ListenerConfigurationException(
                "Delay queue \"" + queue.name() + "\", in which messages of \"" + queue.target() + "\" wait, "
                        + problem,
                "Declare it, durable, with x-message-ttl " + queue.delay().toMillis()
                        + ", x-dead-letter-exchange \"\" and x-dead-letter-routing-key \"" + queue.target()
                        + "\", and set idem.consumer.rabbit.deferral.delay-queue.declare to false;"
                        + " or remove delay-queue from idem.consumer.rabbit.deferral",
                cause);
    }
}
