package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.kafka.publish.DurableAcks;
import io.idem.consumer.internal.kafka.publish.PropagatingProducer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
 * @param replies whether a container's replies get headers too
 */
public record ProducerFactoryPostProcessor(boolean replies) implements BeanPostProcessor {

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

    private void propagateFrom(KafkaTemplate<?, ?> template, String beanName) {
        if (template.getProducerFactory() instanceof DefaultKafkaProducerFactory<?, ?> factory) {
            propagate(factory, beanName);
        } else {
            LOG.warn(
                    "Template \"{}\" has a producer factory of type {}, which idem cannot configure: what it sends carries no"
                            + " idempotency key, and idempotent work does not wait for it; use a DefaultKafkaProducerFactory",
                    beanName,
                    template.getProducerFactory().getClass().getSimpleName());
        }
    }

    private <K, V> void propagate(DefaultKafkaProducerFactory<K, V> factory, String beanName) {
        if (factory.getPostProcessors().stream().anyMatch(Propagation.class::isInstance)) {
            return;
        }
        if (!DurableAcks.areIn(factory.getConfigurationProperties())) {
            LOG.warn(
                    "Producers of {} send with another acks than all: idempotent work that publishes with them is recorded"
                            + " as done although its messages could be lost with one broker; set acks=all",
                    beanName);
        }
        factory.addPostProcessor(new Propagation<>(replies));
    }

    private record Propagation<K, V>(boolean replies) implements ProducerPostProcessor<K, V> {

        @Override
        public Producer<K, V> apply(Producer<K, V> producer) {
            return PropagatingProducer.of(producer, replies);
        }
    }
}
