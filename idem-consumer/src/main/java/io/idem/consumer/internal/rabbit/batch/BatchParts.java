package io.idem.consumer.internal.rabbit.batch;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.batch.BatchListener;
import io.idem.consumer.internal.rabbit.defer.WaitLimits;
import io.idem.consumer.internal.rabbit.message.ManualChannels;
import io.idem.consumer.internal.rabbit.message.RabbitDecisionSettler;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;

/**
 * The collaborators and settings with which the batches of one container are run and settled.
 *
 * @param elementType type of the converted bodies; empty where spring-rabbit finds it out by itself
 * @param tenant of messages that name none
 * @param stop blocks until the container takes no more messages
 * @param manualChannels of a listener that acknowledges by itself; null where idem does it
 */
public record BatchParts(
        BatchListener listener,
        RabbitDecisionSettler decisionSettler,
        WaitLimits limits,
        FailedBatchPolicy policy,
        Optional<Type> elementType,
        @Nullable ManualChannels manualChannels,
        BooleanSupplier stopping,
        String tenant,
        Consumer<ListenerConfigurationException> stop) {

    RabbitDelivery delivered(Message message) {
        return new RabbitDelivery(message, stopping, tenant);
    }
}
