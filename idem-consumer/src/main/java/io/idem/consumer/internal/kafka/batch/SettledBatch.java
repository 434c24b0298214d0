package io.idem.consumer.internal.kafka.batch;

import static io.idem.internal.Durations.longer;

import io.idem.Scope;
import io.idem.consumer.internal.batch.ListenerBatch;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.KafkaDelivery;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.ListenerExecutionFailedException;

/**
 * A batch that has run: settles record by record, in the container's order, up to the first one that cannot be settled.
 *
 * @param running positions in the whole batch of the records that the listener got
 * @param failure the exception of the listener
 * @param open records of earlier batches that the listener has not acknowledged
 */
record SettledBatch(
        Scope scope,
        SelectedRecords selected,
        ListenerBatch batch,
        List<Integer> running,
        Optional<RuntimeException> failure,
        @Nullable HeldKafkaAck said,
        BooleanSupplier stopping,
        OpenOffsets open) {

    /** Delay of a record whose reason for waiting is over. */
    private static final Duration SOON = Duration.ofMillis(1);

    private static final String NOT_ACKNOWLEDGED = "its listener has not acknowledged its batch, or the one before";

    List<ConsumerRecord<?, ?>> selectedRecords() {
        return selected.records(selected.positions());
    }

    /** Returns the selected records that are not settled; none if the batch failed as a whole. */
    List<ConsumerRecord<?, ?>> unsettled() {
        List<ConsumerRecord<?, ?>> unsettled = new ArrayList<>();
        for (int i = 0; i < selected.size() && !failedAsAWhole(); i++) {
            DeliveryDecision decision = decision(i);
            if (decision instanceof DeliveryDecision.Defer || decision instanceof DeliveryDecision.Failed) {
                unsettled.add(selected.record(i));
            }
        }
        return unsettled;
    }

    /** Returns the records that were rolled back because of a record behind them. */
    List<ConsumerRecord<?, ?>> undone() {
        return selected.records(batch.undone().stream().map(selected::position).toList());
    }

    /**
     * Settles the records.
     *
     * @throws BatchListenerFailedException names the first record that is not settled, maybe as a cause
     * @throws RuntimeException the exception of the listener, if all records are settled or all of them failed together
     */
    void settle(KafkaDecisionSettler settler) {
        Map<Integer, Delivery> asked = asked();
        for (int position = 0; position < selected.all().size(); position++) {
            Delivery delivery = asked.get(position);
            settle(settler, position, delivery == null ? notAsked(position) : delivery);
        }
        failure.ifPresent(late -> {
            throw late;
        });
    }

    private Map<Integer, Delivery> asked() {
        Map<Integer, Delivery> asked = new HashMap<>();
        for (int i = 0; i < selected.size(); i++) {
            Delivery delivery = batch.delivery(i);
            delivery.decide(decision(i));
            asked.put(selected.position(i), delivery);
        }
        return asked;
    }

    /**
     * Returns the decision by which a record is settled. A record that is left open beside one that comes again waits:
     * it comes again, too.
     */
    private DeliveryDecision decision(int index) {
        DeliveryDecision decision = batch.decision(index);
        return decision instanceof DeliveryDecision.LeftOpen && !isLeftOpenAlone()
                ? new DeliveryDecision.Defer(scope, Duration.ZERO, NOT_ACKNOWLEDGED)
                : decision;
    }

    private boolean isLeftOpenAlone() {
        for (int i = 0; i < selected.size(); i++) {
            DeliveryDecision decision = batch.decision(i);
            if (!(decision instanceof DeliveryDecision.LeftOpen
                    || decision instanceof DeliveryDecision.Ran
                    || decision instanceof DeliveryDecision.Duplicate
                    || decision instanceof DeliveryDecision.Skipped)) {
                return false;
            }
        }
        return selected.size() == selected.all().size();
    }

    private static DeliveryDecision.Defer unread(Scope scope, Duration pause, String why) {
        return new DeliveryDecision.Defer(scope, pause, "its key was not read, because " + why);
    }

    /** Throws for a batch all of which waits. */
    static void throwNotNow(
            Scope scope, KafkaDecisionSettler settler, ConsumerRecord<?, ?> first, BooleanSupplier stopping) {
        Delivery delivery = new Delivery(new KafkaDelivery(first, stopping));
        throw about(first, settler.inProgress(first, delivery, unread(scope, Duration.ZERO, NOT_ACKNOWLEDGED)));
    }

    /** Returns the pause that the listener asked for when it handed the record back; empty for all other records. */
    private Optional<Duration> askedPause(int position) {
        return Optional.ofNullable(said)
                .flatMap(HeldKafkaAck::nack)
                .filter(nack -> running.get(nack.index()) == position)
                .map(nack -> longer(nack.sleep(), SOON));
    }

    private Delivery notAsked(int position) {
        ConsumerRecord<?, ?> record = selected.all().get(position);
        Delivery delivery = new Delivery(new KafkaDelivery(record, stopping));
        delivery.decide(
                open.holdsUp(OpenOffsets.partition(record))
                        ? unread(scope, Duration.ZERO, NOT_ACKNOWLEDGED)
                        : unread(scope, SOON, "one before it in its partition could not be settled last time"));
        return delivery;
    }

    private void settle(KafkaDecisionSettler settler, int position, Delivery delivery) {
        ConsumerRecord<?, ?> record = selected.all().get(position);
        askedPause(position).ifPresent(sleep -> {
            DeliveryDecision.Defer again = new DeliveryDecision.Defer(scope, sleep, "its listener wants it again");
            throw about(record, settler.handedBack(record, delivery, again));
        });
        boolean failed = delivery.decision()
                .filter(DeliveryDecision.Failed.class::isInstance)
                .isPresent();
        @Nullable RuntimeException thrown = failed ? failure.orElse(null) : null;
        try {
            settler.settle(record, delivery, null, null, thrown);
        } catch (RuntimeException unsettled) {
            if (unsettled == thrown && failedAsAWhole()) {
                throw unsettled;
            }
            throw about(record, unsettled);
        }
    }

    /**
     * Returns whether no record is to blame: then the container's fallback for batches acts, which gives the whole
     * batch to the listener again.
     */
    private boolean failedAsAWhole() {
        return failure.isPresent()
                && running.size() == selected.all().size()
                && FailedConsumerRecord.named(failure.get()) == null
                && allFailed();
    }

    private boolean allFailed() {
        for (int i = 0; i < selected.size(); i++) {
            if (!(batch.decision(i) instanceof DeliveryDecision.Failed)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Names the record in the exception, as the container expects it from a listener. The container takes the record
     * and not an index, since the listener's index counts only the records that it got.
     */
    static RuntimeException about(ConsumerRecord<?, ?> record, RuntimeException unsettled) {
        @Nullable BatchListenerFailedException named = FailedConsumerRecord.named(unsettled);
        Throwable cause = named != null ? named.getCause() : cause(unsettled);
        return new ListenerExecutionFailedException(
                "A record of a batch is not settled",
                new BatchListenerFailedException(String.valueOf(message(named, cause)), cause, record));
    }

    private static @Nullable Throwable cause(RuntimeException unsettled) {
        return unsettled instanceof ListenerExecutionFailedException && unsettled.getCause() != null
                ? unsettled.getCause()
                : unsettled;
    }

    private static @Nullable String message(@Nullable BatchListenerFailedException named, @Nullable Throwable cause) {
        return cause != null ? cause.getMessage() : named == null ? "failed" : named.getMessage();
    }
}
