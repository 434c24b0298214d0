package io.idem.consumer.autoconfigure;

import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.internal.spring.ConditionalOnSwitch;
import java.time.Duration;
import java.util.function.Consumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.kafka.support.converter.RecordMessageConverter;
import org.springframework.kafka.support.micrometer.KafkaTemplateObservationConvention;

/**
 * Makes Boot's {@code KafkaTemplate} a propagating one, with the same name and settings; Boot's own backs off for it.
 */
@AutoConfiguration(beforeName = OnBootDefault.KAFKA)
@ConditionalOnClass(value = KafkaTemplate.class, name = OnBootDefault.KAFKA)
@Conditional(OnBootDefault.Kafka.class)
@ConditionalOnSwitch("idem.consumer.propagating-templates")
class IdemKafkaTemplateAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(KafkaTemplate.class)
    PropagatingKafkaTemplate<?, ?> kafkaTemplate(
            ProducerFactory<Object, Object> producerFactory,
            ProducerListener<Object, Object> producerListener,
            ObjectProvider<RecordMessageConverter> messageConverter,
            ObjectProvider<KafkaTemplateObservationConvention> observationConvention,
            Environment environment) {
        PropagatingKafkaTemplate<Object, Object> template = new PropagatingKafkaTemplate<>(producerFactory);
        messageConverter.ifUnique(template::setMessageConverter);
        observationConvention.ifUnique(template::setObservationConvention);
        template.setProducerListener(producerListener);
        apply(Binder.get(environment), template);
        return template;
    }

    private static void apply(Binder settings, KafkaTemplate<?, ?> template) {
        apply(settings, "default-topic", String.class, template::setDefaultTopic);
        apply(settings, "transaction-id-prefix", String.class, template::setTransactionIdPrefix);
        apply(settings, "observation-enabled", Boolean.class, template::setObservationEnabled);
        apply(settings, "close-timeout", Duration.class, template::setCloseTimeout);
        apply(settings, "allow-non-transactional", Boolean.class, template::setAllowNonTransactional);
    }

    private static <T> void apply(Binder settings, String name, Class<T> type, Consumer<T> setter) {
        settings.bind("spring.kafka.template." + name, type).ifBound(setter);
    }
}
