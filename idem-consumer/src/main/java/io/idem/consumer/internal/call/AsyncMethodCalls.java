package io.idem.consumer.internal.call;

import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.definition.StageForm;
import io.idem.consumer.internal.delivery.AsyncSettlement;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.outage.StoreOutages;
import io.idem.engine.AsyncIdempotentExecutor;
import java.util.Optional;

/** Makes {@link AsyncMethodCall}s for the listener methods whose work ends after their return. */
record AsyncMethodCalls(
        AsyncIdempotentExecutor executor, ConsumerSettings settings, ConsumerEvents events, StoreOutages outages) {

    /**
     * Returns the call of a method whose work ends after its return; empty for all other methods.
     *
     * @throws ListenerConfigurationException if the delivery hook cannot settle asynchronously
     */
    Optional<AsyncMethodCall> of(ListenerDefinition listener, Delivery delivery, ListenerWork work) {
        return StageForm.of(listener.method()).map(form -> asyncCall(listener, delivery, work, form));
    }

    private AsyncMethodCall asyncCall(
            ListenerDefinition listener, Delivery delivery, ListenerWork work, StageForm form) {
        AsyncSettlement settlement = delivery.asyncSettlement()
                .orElseThrow(() -> new ListenerConfigurationException(
                        listener.method(),
                        "ends its work after its return, which its container does not support",
                        "Do the work before the method returns"));
        return new AsyncMethodCall(
                listener, delivery, executor, events, outages, form, settlement, work.anew(), settings.hold());
    }
}
