package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.definition.DefinedListener;
import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.consumer.internal.delivery.CurrentDelivery.HandOver;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.consumer.internal.kafka.batch.FilterBehindOpenWork;
import io.idem.consumer.internal.kafka.batch.IdempotentBatchListener;
import io.idem.consumer.internal.kafka.message.AdapterFields;
import io.idem.consumer.internal.kafka.message.AdvisedListener;
import io.idem.consumer.internal.kafka.message.DeliveryHook;
import io.idem.consumer.internal.kafka.message.IdempotentKafkaEndpoint;
import io.idem.consumer.internal.kafka.message.KafkaFailureObserver;
import io.idem.consumer.internal.kafka.message.ListenerLayers;
import io.idem.consumer.internal.kafka.share.ShareRecordListener;
import io.idem.internal.method.HiddenMembers;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.kafka.listener.AcknowledgingShareConsumerAwareMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.adapter.AbstractFilteringMessageListener;
import org.springframework.kafka.listener.adapter.HandlerAdapter;
import org.springframework.kafka.listener.adapter.KafkaBackoffAwareMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.MessagingMessageListenerAdapter;

/**
 * The proof of one listener's container: a record comes to the delivery hook first, and idem decides before the bean that
 * the listener's adapter holds.
 *
 * @param properties of the container, from which it takes its listener when it starts
 */
record ContainerProof(IdempotentKafkaEndpoint endpoint, ContainerProperties properties, StartProof proof)
        implements Runnable {

    private static final ConsumerRecord<Object, Object> RECORD = new ConsumerRecord<>("idem-proof", 0, 0, null, null);

    @Override
    public void run() {
        Object called = Objects.requireNonNull(properties.getMessageListener());
        if (called instanceof AbstractFilteringMessageListener<?, ?, ?> filter
                && AdapterFields.strategy(filter) instanceof FilterBehindOpenWork) {
            // A filter of the application, which idem calls.
            called = filter.getDelegate();
        }
        Object first = first(called);
        boolean hook = first instanceof DeliveryHook || first instanceof ShareRecordListener;
        proof.reaches(endpoint.toString(), hook ? first : this, first, delivery(called, first));
        if (!(endpoint.bean() instanceof DefinedListener)) {
            decides(
                    first instanceof ShareRecordListener<?, ?> share
                            ? share.listener()
                            : ((DeliveryHook<?, ?>) first).advised());
        }
    }

    /** Returns what gets a record behind layers of Spring that hand each record on. */
    private static Object first(Object listener) {
        if (listener instanceof Advised proxy
                && proxy.getAdvisors().length > 0
                && proxy.getAdvisors()[0].getAdvice() instanceof KeptHook kept) {
            return kept.hook();
        }
        return listener instanceof KafkaBackoffAwareMessageListenerAdapter<?, ?> retryTopic
                ? first(retryTopic.getDelegate())
                : listener;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // The hook uses nothing of a probe.
    private static HandOver delivery(Object called, Object first) {
        return () -> {
            if (called instanceof AcknowledgingShareConsumerAwareMessageListener<?, ?> share) {
                ((AcknowledgingShareConsumerAwareMessageListener<Object, Object>) share)
                        .onShareRecord(RECORD, null, null);
            } else {
                Object data = first instanceof IdempotentBatchListener ? List.of(RECORD) : RECORD;
                ((GenericMessageListener<Object>) called).onMessage(data, null, null);
            }
            return null;
        };
    }

    private void decides(AdvisedListener<?> listener) {
        Object adapter = ListenerLayers.of(listener.listener())
                .reduce((outer, inner) -> inner)
                .orElseThrow();
        boolean isAdapter = adapter instanceof MessagingMessageListenerAdapter;
        Object held = isAdapter
                ? ((HandlerAdapter) Objects.requireNonNull(HiddenMembers.read(adapter, "handlerMethod"))).getBean()
                : adapter;
        Stream<Object> between = Stream.of(
                        listener.called() instanceof Advised proxy ? proxy.getAdvisors() : new Advisor[0])
                .<Object>map(Advisor::getAdvice)
                .filter(advice -> !(advice instanceof KafkaFailureObserver));
        proof.decides(
                endpoint.bean(),
                held,
                endpoint.element() instanceof Method method
                        ? Set.of(method)
                        : ListenerShape.methods((Class<?>) endpoint.element()),
                isAdapter
                        ? Stream.concat(between, Stream.ofNullable(HiddenMembers.ask(adapter, "getMessageConverter")))
                        : between);
    }
}
