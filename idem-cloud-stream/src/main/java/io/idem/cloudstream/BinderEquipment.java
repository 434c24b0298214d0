package io.idem.cloudstream;

import io.idem.internal.method.HiddenMembers;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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

    private static final Logger LOG = LoggerFactory.getLogger(BinderEquipment.class);

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
        equip(context.getBean(Binder.class));
    }

    /** Equips a binder of a known kind; also one whose customizers the application has replaced since. */
    void equip(Binder<?, ?, ?> one) {
        Optional<KnownBinder> known =
                kinds.get().filter(kind -> kind.isKindOf(one)).findFirst();
        if (known.isPresent() && one instanceof AbstractMessageChannelBinder<?, ?, ?> binder) {
            equip(binder, known.get());
        } else {
            LOG.info(
                    "Binder {} is not known to idem: what its producers send carries no idempotency key",
                    one.getClass().getSimpleName());
        }
    }

    @SuppressWarnings("unchecked")
    private void equip(AbstractMessageChannelBinder<?, ?, ?> binder, KnownBinder kind) {
        Object consumers = Objects.requireNonNull(HiddenMembers.read(binder, "consumerCustomizer"));
        if (!(consumers instanceof Guarding)) {
            binder.setConsumerEndpointCustomizer(
                    new Guarding((ConsumerEndpointCustomizer<MessageProducer>) consumers, binder, kind, bindings));
        }
        Object producers = Objects.requireNonNull(HiddenMembers.read(binder, "handlerCustomizer"));
        if (!(producers instanceof Propagating)) {
            binder.setProducerMessageHandlerCustomizer(
                    new Propagating((ProducerMessageHandlerCustomizer<MessageHandler>) producers, kind));
        }
        equipped.put(binder, kind);
    }

    /** Guards adapters after the application's own customizer has seen them. */
    private record Guarding(
            ConsumerEndpointCustomizer<MessageProducer> own,
            Binder<?, ?, ?> binder,
            KnownBinder kind,
            Supplier<GuardedBindings> bindings)
            implements ConsumerEndpointCustomizer<MessageProducer> {

        @Override
        public void configure(MessageProducer adapter, String destination, String group) {
            own.configure(adapter, destination, group);
            bindings.get().guard(binder, adapter, kind);
        }
    }

    /** Lets producers carry keys on after the application's own customizer has seen them. */
    private record Propagating(ProducerMessageHandlerCustomizer<MessageHandler> own, KnownBinder kind)
            implements ProducerMessageHandlerCustomizer<MessageHandler> {

        @Override
        public void configure(MessageHandler producer, String destination) {
            own.configure(producer, destination);
            kind.propagate(producer, destination);
        }
    }

    /** Returns the kind of a binder; empty if it is not equipped. */
    Optional<KnownBinder> kindOf(Binder<?, ?, ?> binder) {
        return Optional.ofNullable(equipped.get(binder));
    }
}
