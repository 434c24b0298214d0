package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.UndecidedDelivery;
import io.idem.consumer.internal.outage.StoreOutage;
import io.idem.consumer.kafka.KafkaDeadLetterException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Settles a delivery by its decision. After a normal return the container goes on to the next record, and commits the
 * offset where that is its task; an exception makes the record come again, or fail.
 *
 * @param listener its name, for logs
 * @param redeliveryDelay longest pause of the partition of a record in progress before the record is polled again,
 *     unless its listener wants more
 * @param stop of the container
 * @param failed receives what records are called in logs that are left to the error handler
 */
public record KafkaDecisionSettler(
        String listener,
        ConsumerEvents events,
        DeadLetterWay deadLetters,
        Duration redeliveryDelay,
        ContainerStop stop,
        Map<ConsumerRecord<?, ?>, String> failed) {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaDecisionSettler.class);
    private static final String TO_THE_CONTAINER =
            " and is kept only if a recoverer of its container's error handler publishes it (or set"
                    + " idem.consumer.kafka.dead-letter.topic-suffix)";

    /**
     * Settles a delivery.
     *
     * @param said holds the listener's own settlement; null where it does not acknowledge
     * @param container the container's own acknowledgement; null where the listener does not acknowledge
     * @param failure the exception of the listener
     */
    public void settle(
            ConsumerRecord<?, ?> record,
            Delivery delivery,
            @Nullable DeferredAcknowledgment said,
            @Nullable Acknowledgment container,
            @Nullable RuntimeException failure) {
        DeliveryDecision decision = decision(delivery, failure);
        if (decision instanceof DeliveryDecision.Defer defer) {
            throw inProgress(record, delivery, defer);
        }
        if (decision instanceof DeliveryDecision.Stop refused) {
            throw stopped(record, refused.refusal());
        }
        Optional<DeliveryDecision.DeadLetter> dead = deadLetter(decision, failure);
        if (dead.isPresent()) {
            deadLetter(record, delivery, dead.get(), failure);
            acknowledge(container);
        } else if (failure != null) {
            leftToErrorHandler(record, delivery);
            throw failure;
        } else if (decision instanceof DeliveryDecision.Duplicate || decision instanceof DeliveryDecision.Skipped) {
            acknowledge(container);
            // Work that is handed over may be running: its settlement waits for its end.
        } else if (said != null && !(decision instanceof DeliveryDecision.Handed)) {
            said.release();
        }
    }

    /** Notes that the container's error handler decides on a record. */
    public void leftToErrorHandler(ConsumerRecord<?, ?> record, Delivery delivery) {
        failed.put(record, delivery.toString());
    }

    /** Returns the decision. A refusal by idem is not the message's fault, on whatever way it comes. */
    private @Nullable DeliveryDecision decision(Delivery delivery, @Nullable RuntimeException failure) {
        if (failure == null) {
            return UndecidedDelivery.decision(delivery, listener);
        }
        DeliveryDecision decided = delivery.decision().orElse(null);
        return decided instanceof DeliveryDecision.Defer
                ? decided
                : UndecidedDelivery.refusal(failure)
                        .<DeliveryDecision>map(refused -> refused)
                        .orElse(decided);
    }

    /**
     * Stops the container because of a record that cannot be decided.
     *
     * @return the exception that sends the consumer back to the record, with nothing committed for it
     */
    public KeyInProgressException stopped(ConsumerRecord<?, ?> record, ListenerConfigurationException refusal) {
        stop.because(refusal);
        return handedBack(record, refusal);
    }

    /**
     * Returns the exception that sends the consumer back to a record that comes while its container stops; empty if it
     * does not stop.
     */
    public Optional<KeyInProgressException> sinceStopped(ConsumerRecord<?, ?> record) {
        return stop.isUnderWay() ? Optional.of(handedBack(record, null)) : Optional.empty();
    }

    /** Stops the container if a failure is a refusal by idem, which is not the message's fault. */
    public boolean stopsFor(Throwable failure) {
        Optional<DeliveryDecision.Stop> refused = UndecidedDelivery.refusal(failure);
        refused.ifPresent(decision -> stop.because(decision.refusal()));
        return refused.isPresent();
    }

    private KeyInProgressException handedBack(ConsumerRecord<?, ?> record, @Nullable Throwable cause) {
        return inProgress(
                record,
                "The listener of Kafka record " + record.topic() + "-" + record.partition() + "@" + record.offset()
                        + " is stopped",
                redeliveryDelay,
                cause,
                null);
    }

    private static Optional<DeliveryDecision.DeadLetter> deadLetter(
            @Nullable DeliveryDecision decision, @Nullable RuntimeException failure) {
        if (decision instanceof DeliveryDecision.Failed failed && failure != null) {
            return failed.rejection();
        }
        return decision instanceof DeliveryDecision.DeadLetter dead ? Optional.of(dead) : Optional.empty();
    }

    public static void acknowledge(@Nullable Acknowledgment container) {
        if (container != null) {
            container.acknowledge();
        }
    }

    /**
     * Publishes the deferral and returns the exception with the pause, which is short, since the key may be free at any
     * time.
     */
    public KeyInProgressException inProgress(
            ConsumerRecord<?, ?> record, Delivery delivery, DeliveryDecision.Defer defer) {
        Duration asked = defer.retryAfter();
        return paused(
                record,
                delivery,
                defer,
                asked.isZero() || asked.compareTo(redeliveryDelay) > 0 ? redeliveryDelay : asked);
    }

    /** Publishes the deferral of a record that its listener handed back: the pause is as long as the listener says. */
    public KeyInProgressException handedBack(
            ConsumerRecord<?, ?> record, Delivery delivery, DeliveryDecision.Defer defer) {
        return paused(record, delivery, defer, defer.retryAfter());
    }

    private KeyInProgressException paused(
            ConsumerRecord<?, ?> record, Delivery delivery, DeliveryDecision.Defer defer, Duration pause) {
        events.publish(
                new ConsumerEvent.Deferred(defer.scope(), delivery.message().transport(), pause));
        return inProgress(
                record,
                delivery + " is deferred by scope \"" + defer.scope() + "\": " + defer.why(),
                pause,
                null,
                defer.outage().orElse(null));
    }

    private static KeyInProgressException inProgress(
            ConsumerRecord<?, ?> record,
            String message,
            Duration pause,
            @Nullable Throwable cause,
            @Nullable StoreOutage outage) {
        return new KeyInProgressException(
                message, new TopicPartition(record.topic(), record.partition()), pause, cause, outage);
    }

    /**
     * Makes a record a dead letter; blocks until that is certain.
     *
     * @throws KafkaDeadLetterException if that is left to the container
     * @throws KeyInProgressException if it is not certain
     */
    public void deadLetter(
            ConsumerRecord<?, ?> record,
            Delivery delivery,
            DeliveryDecision.DeadLetter dead,
            @Nullable Throwable failure) {
        DeadLetterHeaders.write(record, dead);
        KafkaDeadLetterException why = new KafkaDeadLetterException(delivery.toString(), dead, failure);
        try {
            deadLetters.send(record, why);
            tell(delivery, dead, failure, "");
        } catch (KafkaDeadLetterException leftToTheContainer) {
            tell(delivery, dead, failure, TO_THE_CONTAINER);
            throw leftToTheContainer;
        } catch (KeyInProgressException known) {
            throw known;
        } catch (RuntimeException uncertain) {
            LOG.warn(
                    "The dead letter of {} ({}) was not taken by the broker; it comes again",
                    delivery,
                    dead.reason(),
                    uncertain);
            throw inProgress(
                    record,
                    why.getMessage() + "; it could not be published and comes again",
                    redeliveryDelay,
                    uncertain,
                    null);
        }
    }

    private void tell(Delivery delivery, DeliveryDecision.DeadLetter dead, @Nullable Throwable failure, String where) {
        LOG.warn("{} is a dead letter of scope \"{}\"{}: {}", delivery, dead.scope(), where, dead.reason());
        if (failure != null) {
            LOG.debug("{} failed for good in scope \"{}\"", delivery, dead.scope(), failure);
        }
        events.publish(
                new ConsumerEvent.DeadLettered(dead.scope(), delivery.message().transport(), dead.reason()));
    }
}
