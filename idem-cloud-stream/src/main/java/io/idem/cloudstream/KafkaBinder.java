package io.idem.cloudstream;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.DefinedListener;
import io.idem.consumer.internal.kafka.container.KafkaDeliveryHooks;
import io.idem.consumer.internal.kafka.container.ProducerFactoryPostProcessor;
import io.idem.consumer.kafka.deadletter.KafkaDeadLetterWriter;
import io.idem.internal.method.HiddenMembers;
import java.lang.reflect.Method;
import java.util.Objects;
import org.springframework.cloud.stream.binder.Binder;
import org.springframework.cloud.stream.binder.kafka.KafkaMessageChannelBinder;
import org.springframework.cloud.stream.binder.kafka.properties.KafkaConsumerProperties;
import org.springframework.integration.core.MessageProducer;
import org.springframework.integration.kafka.inbound.KafkaMessageDrivenChannelAdapter;
import org.springframework.integration.kafka.outbound.KafkaProducerMessageHandler;
import org.springframework.integration.support.context.NamedComponent;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.transaction.KafkaAwareTransactionManager;
import org.springframework.messaging.MessageHandler;

/** The binder of Kafka. */
record KafkaBinder(KafkaDeliveryHooks hooks, ProducerFactoryPostProcessor producers, KafkaDeadLetterWriter letters)
        implements KnownBinder {

    @Override
    public String transport() {
        return "kafka";
    }

    @Override
    public boolean isKindOf(Binder<?, ?, ?> binder) {
        return binder instanceof KafkaMessageChannelBinder;
    }

    /** The adapter is initialized first, since only then its container has the listener that is to be hooked. */
    @Override
    public void hook(Binder<?, ?, ?> binder, MessageProducer adapter, DefinedListener listener, Method named) {
        ((KafkaMessageDrivenChannelAdapter<?, ?>) adapter).afterPropertiesSet();
        AbstractMessageListenerContainer<?, ?> container = (AbstractMessageListenerContainer<?, ?>)
                Objects.requireNonNull(HiddenMembers.read(adapter, "messageListenerContainer"));
        KafkaConsumerProperties settings = ((KafkaMessageChannelBinder) binder)
                .getExtendedConsumerProperties(
                        ((NamedComponent) Objects.requireNonNull(adapter.getOutputChannel())).getComponentName());
        if (settings.isResetOffsets()) {
            hooks.noteRewinding(listener, named);
        }
        KafkaAwareTransactionManager<?, ?> transactions =
                container.getContainerProperties().getKafkaAwareTransactionManager();
        if (transactions == null && container.getCommonErrorHandler() == null) {
            checkDlq(settings, named);
        }
        hooks.install(listener, named, container);
        if (transactions != null) {
            equip(transactions.getProducerFactory(), "transactions of " + named.getName());
        }
    }

    /** Refuses to leave dead letters to the binder's DLQ, which gets failures alone and may lose them. */
    private void checkDlq(KafkaConsumerProperties settings, Method named) {
        if (!letters.areTopics() && settings.isEnableDlq()) {
            throw new ListenerConfigurationException(
                    named,
                    "has a DLQ of its binder (enable-dlq), which gets what the function throws, but nothing that idem refuses",
                    "Set idem.consumer.kafka.dead-letter.topic-suffix; where dlq-name is the topic with this suffix, it gets both");
        }
    }

    @Override
    public void propagate(MessageHandler producer, String destination) {
        equip(
                ((KafkaProducerMessageHandler<?, ?>) producer)
                        .getKafkaTemplate()
                        .getProducerFactory(),
                "binding to " + destination);
    }

    /** A factory whose producers are to be equipped now has one already, by which the binder asked for partitions. */
    private void equip(ProducerFactory<?, ?> factory, String of) {
        int before = factory.getPostProcessors().size();
        producers.postProcessAfterInitialization(factory, of);
        if (factory.getPostProcessors().size() > before) {
            factory.reset();
        }
    }
}
