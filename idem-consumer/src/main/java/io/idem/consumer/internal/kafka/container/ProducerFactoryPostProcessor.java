package io.idem.consumer.internal.kafka.container;

import io.idem.Scope;
import io.idem.consumer.internal.guard.FinishedBeans;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.consumer.internal.kafka.publish.DurableAcks;
import io.idem.consumer.internal.kafka.publish.PropagatingProducer;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.internal.method.HiddenMembers;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerPostProcessor;
import org.springframework.kafka.core.RoutingKafkaTemplate;

/**
 * Lets the producers of every {@link DefaultKafkaProducerFactory} of the application carry idempotency keys on: of the
 * factories that are beans, and of those of {@link KafkaTemplate} beans. Warns of templates whose producers it cannot
 * reach.
 *
 * @param beans of the application
 * @param replies whether a container's replies get headers too
 * @param proof proves each of them; needed when the first one is made
 */
public record ProducerFactoryPostProcessor(BeanFactory beans, boolean replies, Supplier<StartProof> proof)
        implements BeanPostProcessor, SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(ProducerFactoryPostProcessor.class);

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof DefaultKafkaProducerFactory<?, ?> factory) {
            propagate(factory, beanName);
        } else if (bean instanceof KafkaTemplate<?, ?> template && !(bean instanceof RoutingKafkaTemplate)) {
            propagateFrom(template, beanName);
        }
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        FinishedBeans.of(beans, ProducerFactoryPostProcessor.class, (bean, name) -> {
            Object factory = bean instanceof KafkaTemplate<?, ?> template ? template.getProducerFactory() : bean;
            if (factory instanceof DefaultKafkaProducerFactory<?, ?> known && !isEquipped(known)) {
                postProcessAfterInitialization(bean, name);
            }
        });
    }

    private static boolean isEquipped(DefaultKafkaProducerFactory<?, ?> factory) {
        return factory.getPostProcessors().stream().anyMatch(Propagation.class::isInstance);
    }

    private void propagateFrom(KafkaTemplate<?, ?> template, String beanName) {
        if (template.getProducerFactory() instanceof DefaultKafkaProducerFactory<?, ?> factory) {
            propagate(factory, beanName);
            if (template instanceof PropagatingKafkaTemplate<?, ?>) {
                proof.get().ofTemplate(() -> prove(template, "Template \"" + beanName + "\""));
            }
        } else {
            LOG.warn(
                    "Template \"{}\" has a producer factory of type {}, which idem cannot configure: what it sends"
                            + " carries no idempotency key, and idempotent work does not wait for it; use a"
                            + " DefaultKafkaProducerFactory",
                    beanName,
                    template.getProducerFactory().getClass().getSimpleName());
        }
    }

    private <K, V> void propagate(DefaultKafkaProducerFactory<K, V> factory, String beanName) {
        if (isEquipped(factory)) {
            return;
        }
        if (!DurableAcks.areIn(factory.getConfigurationProperties())) {
            LOG.warn(
                    "Producers of {} send with another acks than all: idempotent work that publishes with them is"
                            + " recorded as done although its messages could be lost with one broker; set acks=all",
                    beanName);
        }
        factory.addPostProcessor(new Propagation<>(replies, ConcurrentHashMap.newKeySet()));
        proof.get().ofTemplate(() -> prove(factory, "Producer factory \"" + beanName + "\""));
    }

    /** Proves that what a template sends comes to it, so that it can be kept; its factory is proved by itself. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private <K, V> void prove(KafkaTemplate<K, V> template, String what) {
        boolean observed = Boolean.TRUE.equals(HiddenMembers.read(template, "observationEnabled"));
        if (template.isTransactional()
                || observed
                || template.getClass() != PropagatingKafkaTemplate.class
                || StartProof.isSpy(template)) {
            proof.get().tell(what, "its transactions, observations or class");
        } else {
            proof.get()
                    .reaches(what, template, template, () -> template.send(new ProducerRecord<>("idem-proof", null)));
        }
    }

    /** Proves that what producers of a factory send comes to idem first, by a producer without a client. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private <K, V> void prove(DefaultKafkaProducerFactory<K, V> factory, String what) {
        List<ProducerPostProcessor<K, V>> all = factory.getPostProcessors();
        List<String> own = StartProof.names(
                Stream.concat(Stream.of(factory), all.stream().filter(one -> !(one instanceof Propagation))));
        if (factory.transactionCapable() || !own.isEmpty()) {
            proof.get().tell(what, own.isEmpty() ? "its transactions" : String.join(", ", own));
            return;
        }
        Producer<K, V> made = new MockProducer<>();
        for (ProducerPostProcessor<K, V> one : all) {
            made = one.apply(made);
        }
        Producer<K, V> producer = made;
        Object first = producer instanceof Advised proxy ? proxy.getAdvisors()[0].getAdvice() : producer;
        proof.get()
                .reaches(
                        what,
                        first instanceof PropagatingProducer ? first : this,
                        first,
                        () -> producer.send(new ProducerRecord<>("idem-proof", null)));
    }

    private record Propagation<K, V>(boolean replies, Set<Scope> warned) implements ProducerPostProcessor<K, V> {

        @Override
        public Producer<K, V> apply(Producer<K, V> producer) {
            return PropagatingProducer.of(producer, replies, warned);
        }
    }
}
