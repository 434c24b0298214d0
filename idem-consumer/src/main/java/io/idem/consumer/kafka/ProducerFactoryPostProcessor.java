package io.idem.consumer.kafka;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

/** Lets the producers of every {@link DefaultKafkaProducerFactory} of the application carry idempotency keys on. */
public final class ProducerFactoryPostProcessor implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(ProducerFactoryPostProcessor.class);

    private final boolean replies;

    /**
     * A post-processor.
     *
     * @param replies whether what a container sends in answer to a delivery gets headers too
     */
    public ProducerFactoryPostProcessor(boolean replies) {
        this.replies = replies;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof DefaultKafkaProducerFactory<?, ?> factory) {
            propagate(factory, beanName);
        }
        return bean;
    }

    private <K, V> void propagate(DefaultKafkaProducerFactory<K, V> factory, String beanName) {
        if (!DurableAcks.areIn(factory.getConfigurationProperties())) {
            LOG.warn(
                    "Producers of {} send with another acks than all: idempotent work that publishes with them is recorded"
                            + " as done although its messages could be lost with one broker; set acks=all",
                    beanName);
        }
        factory.addPostProcessor(producer -> new PropagatingProducer<>(producer, replies));
    }
}
