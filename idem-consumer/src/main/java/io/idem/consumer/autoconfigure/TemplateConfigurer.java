package io.idem.consumer.autoconfigure;

import java.util.function.Consumer;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.kafka.support.micrometer.KafkaTemplateObservationConvention;

/** Gives a template that is not a bean the listener, observations and meters that Boot gives its own template. */
record TemplateConfigurer(ApplicationContext application) implements Consumer<KafkaTemplate<?, ?>> {

    private static final String NAME = "idempotentKafkaDeadLetters";
    private static final ResolvableType PRODUCER_LISTENER =
            ResolvableType.forClassWithGenerics(ProducerListener.class, Object.class, Object.class);

    @Override
    public void accept(KafkaTemplate<?, ?> template) {
        configure(template);
    }

    private <K, V> void configure(KafkaTemplate<K, V> template) {
        template.setBeanName(NAME);
        template.setApplicationContext(application);
        application.<ProducerListener<K, V>>getBeanProvider(PRODUCER_LISTENER).ifUnique(template::setProducerListener);
        application
                .getBeanProvider(KafkaTemplateObservationConvention.class)
                .ifUnique(template::setObservationConvention);
        template.setObservationEnabled(application
                .getEnvironment()
                .getProperty("spring.kafka.template.observation-enabled", Boolean.class, false));
        template.afterSingletonsInstantiated();
    }
}
