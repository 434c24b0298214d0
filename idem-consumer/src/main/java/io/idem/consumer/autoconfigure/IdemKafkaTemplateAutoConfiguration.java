package io.idem.consumer.autoconfigure;

import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.kafka.support.converter.RecordMessageConverter;
import org.springframework.kafka.support.micrometer.KafkaTemplateObservationConvention;

/**
 * Makes Boot's {@code KafkaTemplate} a propagating one, with the same name and settings; Boot's own backs off for it.
 */
@AutoConfiguration(before = KafkaAutoConfiguration.class)
@ConditionalOnClass({KafkaTemplate.class, KafkaAutoConfiguration.class})
@Conditional(OnBootDefault.Kafka.class)
@ConditionalOnBooleanProperty(name = "idem.consumer.propagating-templates", matchIfMissing = true)
@EnableConfigurationProperties(KafkaProperties.class)
class IdemKafkaTemplateAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(KafkaTemplate.class)
    PropagatingKafkaTemplate<?, ?> kafkaTemplate(
            ProducerFactory<Object, Object> producerFactory,
            ProducerListener<Object, Object> producerListener,
            ObjectProvider<RecordMessageConverter> messageConverter,
            ObjectProvider<KafkaTemplateObservationConvention> observationConvention,
            KafkaProperties properties) {
        PropagatingKafkaTemplate<Object, Object> template = new PropagatingKafkaTemplate<>(producerFactory);
        messageConverter.ifUnique(template::setMessageConverter);
        observationConvention.ifUnique(template::setObservationConvention);
        template.setProducerListener(producerListener);
        apply(properties.getTemplate(), template);
        return template;
    }

    private static void apply(KafkaProperties.Template properties, KafkaTemplate<?, ?> template) {
        PropertyMapper map = PropertyMapper.get();
        map.from(properties.getDefaultTopic()).to(template::setDefaultTopic);
        map.from(properties.getTransactionIdPrefix()).to(template::setTransactionIdPrefix);
        map.from(properties.getCloseTimeout()).to(template::setCloseTimeout);
        map.from(properties.isAllowNonTransactional()).to(template::setAllowNonTransactional);
        map.from(properties.isObservationEnabled()).to(template::setObservationEnabled);
    }
}
