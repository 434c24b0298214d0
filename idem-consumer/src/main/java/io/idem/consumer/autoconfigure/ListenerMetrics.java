package io.idem.consumer.autoconfigure;

import io.idem.consumer.internal.guard.ListenerRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Registers the meters of every listener once all of them are known. */
final class ListenerMetrics implements ApplicationListener<ContextRefreshedEvent> {

    private final MeteredDeliveries deliveries;
    private final ObjectProvider<ListenerRegistrar> registrar;

    ListenerMetrics(MeteredDeliveries deliveries, ObjectProvider<ListenerRegistrar> registrar) {
        this.deliveries = deliveries;
        this.registrar = registrar;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        registrar.ifAvailable(found -> found.registered().forEach(deliveries::declare));
    }
}
