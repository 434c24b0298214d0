package io.idem.consumer.autoconfigure;

import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.internal.spring.ConditionalOnSwitch;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
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
@AutoConfiguration(before = KafkaAutoConfiguration.class)
@ConditionalOnClass({KafkaTemplate.class, KafkaAutoConfiguration.class})
@Conditional(OnBootDefault.Kafka.class)
@ConditionalOnSwitch("idem.consumer.propagating-templates")
@EnableConfigurationProperties(KafkaProperties.class)
class IdemKafkaTemplateAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(KafkaTemplate.class)
    PropagatingKafkaTemplate<?, ?> kafkaTemplate(
            ProducerFactory<Object, Object> producerFactory,
            ProducerListener<Object, Object> producerListener,
            ObjectProvider<RecordMessageConverter> messageConverter,
            ObjectProvider<KafkaTemplateObservationConvention> observationConvention,
            KafkaProperties properties,
            Environment environment) {
        PropagatingKafkaTemplate<Object, Object> template = new PropagatingKafkaTemplate<>(producerFactory);
        messageConverter.ifUnique(template::setMessageConverter);
        observationConvention.ifUnique(template::setObservationConvention);
        template.setProducerListener(producerListener);
        apply(properties.getTemplate(), template);
        applyNewer(Binder.get(environment), template);
        return template;
    }

    private static void apply(KafkaProperties.Template properties, KafkaTemplate<?, ?> template) {
        PropertyMapper map = PropertyMapper.get();
        map.from(properties.getDefaultTopic()).to(template::setDefaultTopic);
        map.from(properties.getTransactionIdPrefix()).to(template::setTransactionIdPrefix);
        map.from(properties.isObservationEnabled()).to(template::setObservationEnabled);
    }

    /** Applies the settings that {@code KafkaProperties} of Spring Boot 4.0 do not have. */
    private static void applyNewer(Binder settings, KafkaTemplate<?, ?> template) {
        settings.bind("spring.kafka.template.close-timeout", Duration.class).ifBound(template::setCloseTimeout);
        settings.bind("spring.kafka.template.allow-non-transactional", Boolean.class)
                .ifBound(template::setAllowNonTransactional);
    }
}
