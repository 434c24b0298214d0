package io.idem.cloudstream;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.cloud.stream.binder.AbstractMessageChannelBinder;
import org.springframework.cloud.stream.binder.Binder;
import org.springframework.cloud.stream.binder.DefaultBinderFactory;
import org.springframework.cloud.stream.config.ConsumerEndpointCustomizer;
import org.springframework.cloud.stream.config.ProducerMessageHandlerCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.integration.core.MessageProducer;
import org.springframework.messaging.MessageHandler;

/**
 * Equips each binder when it is made: its adapters are guarded, and its producers carry keys on, after the application's
 * own customizers have seen them. A binder takes one customizer of each kind, so a bean of idem would compete with the
 * application's. Thread-safe.
 */
final class BinderEquipment implements DefaultBinderFactory.Listener {

    private final Supplier<Stream<KnownBinder>> kinds;
    private final Supplier<GuardedBindings> bindings;
    private final Map<Binder<?, ?, ?>, KnownBinder> equipped = new ConcurrentHashMap<>();

    /**
     * Makes the equipment of an application's binders.
     *
     * @param kinds needed when a binder is made
     * @param bindings needed when an adapter is made
     */
    BinderEquipment(Supplier<Stream<KnownBinder>> kinds, Supplier<GuardedBindings> bindings) {
        this.kinds = kinds;
        this.bindings = bindings;
    }

    @Override
    public void afterBinderContextInitialized(String name, ConfigurableApplicationContext context) {
        if (context.getBean(Binder.class) instanceof AbstractMessageChannelBinder<?, ?, ?> binder) {
            kinds.get().filter(kind -> kind.isKindOf(binder)).findFirst().ifPresent(kind -> equip(binder, kind));
        }
    }

    @SuppressWarnings("unchecked")
    private void equip(AbstractMessageChannelBinder<?, ?, ?> binder, KnownBinder kind) {
        ConsumerEndpointCustomizer<MessageProducer> consumers = (ConsumerEndpointCustomizer<MessageProducer>)
                Objects.requireNonNull(KnownBinder.read(binder, "consumerCustomizer"));
        binder.setConsumerEndpointCustomizer((MessageProducer adapter, String destination, String group) -> {
            consumers.configure(adapter, destination, group);
            bindings.get().guard(adapter, kind);
        });
        ProducerMessageHandlerCustomizer<MessageHandler> producers = (ProducerMessageHandlerCustomizer<MessageHandler>)
                Objects.requireNonNull(KnownBinder.read(binder, "handlerCustomizer"));
        binder.setProducerMessageHandlerCustomizer((MessageHandler producer, String destination) -> {
            producers.configure(producer, destination);
            kind.propagate(producer, destination);
        });
        equipped.put(binder, kind);
    }

    /** Returns the kind of a binder; empty if it is not equipped. */
    Optional<KnownBinder> kindOf(Binder<?, ?, ?> binder) {
        return Optional.ofNullable(equipped.get(binder));
    }
}
