package io.idem.consumer.internal.kafka.share;

import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.kafka.message.AdvisedListener;
import io.idem.consumer.internal.kafka.message.ContainerStop;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.KafkaDelivery;
import io.idem.consumer.internal.kafka.message.KeyInProgressException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AcknowledgingShareConsumerAwareMessageListener;
import org.springframework.kafka.support.ShareAcknowledgment;

/**
 * The delivery hook for share groups. Its container lets the hook acknowledge, also where the adapter would do so for
 * the listener. A deferral renews the lock of the record: the consumer gets it again from its next poll, and the broker
 * counts no delivery. A container that is stopped by a record leaves it and all behind it unacknowledged, so that it
 * polls no more; the broker takes them back when the consumer is closed.
 *
 * @param listenerAcknowledges whether the listener acknowledges; else its return accepts the record
 */
public record ShareRecordListener<K, V>(
        AdvisedListener<AcknowledgingShareConsumerAwareMessageListener<K, V>> listener,
        boolean listenerAcknowledges,
        Supplier<KafkaDecisionSettler> settler,
        SharePauses pauses,
        ContainerStop stop,
        BooleanSupplier stopping)
        implements AcknowledgingShareConsumerAwareMessageListener<K, V> {

    /** Half of the shortest lock that a broker grants: an effect that cannot be recorded yet is not held any longer. */
    private static final Duration LONGEST_HOLD = Duration.ofMillis(7_500);

    @Override
    public void onShareRecord(
            ConsumerRecord<K, V> record, @Nullable ShareAcknowledgment container, ShareConsumer<?, ?> consumer) {
        if (Probe.endsAt(this)) {
            return;
        }
        if (container == null) {
            throw new IllegalStateException("The container of a share group does not let the hook acknowledge");
        }
        if (stop.isUnderWay()) {
            return;
        }
        pauses.await(record, stopping);
        Delivery delivery = new Delivery(new KafkaDelivery(record, stopping), LONGEST_HOLD);
        DeferredShareAcknowledgment said = new DeferredShareAcknowledgment(container, delivery);
        RuntimeException failure = CurrentDelivery.failureWith(
                delivery, () -> listener.called().onShareRecord(record, listenerAcknowledges ? said : null, consumer));
        try {
            settle(record, delivery, said, failure);
        } catch (KeyInProgressException inProgress) {
            if (stop.isUnderWay()) {
                return;
            }
            pauses.begin(record, inProgress.pause(), consumer);
            container.renew();
        }
    }

    private void settle(
            ConsumerRecord<K, V> record,
            Delivery delivery,
            DeferredShareAcknowledgment said,
            @Nullable RuntimeException failure) {
        settler.get().settle(record, delivery, null, said.settling(), failure);
        if (!listenerAcknowledges) {
            said.acknowledge();
        }
        said.letThrough();
    }
}
