package io.idem.consumer.autoconfigure;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.context.ContextArgumentResolver;
import io.idem.consumer.internal.call.BatchListeners;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.consumer.internal.kafka.container.KafkaDeliveryHooks;
import io.idem.consumer.internal.kafka.container.KafkaHookInstaller;
import io.idem.consumer.internal.kafka.container.ProducerFactoryPostProcessor;
import io.idem.consumer.internal.kafka.container.UnhookedRecords;
import io.idem.consumer.internal.kafka.publish.KafkaOutgoingTransport;
import io.idem.consumer.kafka.deadletter.KafkaDeadLetterSource;
import io.idem.consumer.kafka.deadletter.KafkaDeadLetterWriter;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.kafka.annotation.KafkaListenerConfigurer;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.util.ClassUtils;

/** Idempotent {@code @KafkaListener} methods, and headers on the records that the application's producers send. */
@AutoConfiguration(after = IdemConsumerAutoConfiguration.class, afterName = OnBootDefault.KAFKA)
@ConditionalOnClass(KafkaListenerConfigurer.class)
@EnableConfigurationProperties(IdemKafkaProperties.class)
class IdemKafkaAutoConfiguration {

    /** Refuses a template of Boot that is not idem's because Boot makes it under a name that idem does not know. */
    IdemKafkaAutoConfiguration(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(KafkaTemplate.class, true, false)) {
            if (!ClassUtils.isPresent(OnBootDefault.KAFKA, beans.getBeanClassLoader())
                    && beans.containsBeanDefinition(name)
                    && String.valueOf(beans.getBeanDefinition(name).getResourceDescription())
                            .contains("org/springframework/boot/")) {
                throw new ListenerConfigurationException(
                        "Spring Boot makes the template \"" + name + "\" elsewhere than in " + OnBootDefault.KAFKA
                                + ", so that what it sends could not be kept in an inbox",
                        "Use a version of Spring Boot that idem names in its documentation",
                        null);
            }
        }
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static KafkaHookInstaller idempotentKafkaHookInstaller(ObjectProvider<KafkaDeliveryHooks> hooks) {
        return new KafkaHookInstaller(hooks::getObject);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ProducerFactoryPostProcessor idempotentKafkaProducers(
            BeanFactory beans, Environment environment, ObjectProvider<StartProof> proof) {
        return new ProducerFactoryPostProcessor(
                beans, environment.getProperty("idem.consumer.reply-headers", boolean.class, false), proof::getObject);
    }

    @Bean
    KafkaDeliveryHooks idempotentKafkaDeliveryHooks(
            ListableBeanFactory beans,
            ObjectProvider<IdempotentListeners> listeners,
            ObjectProvider<BatchListeners> batches,
            IdemKafkaProperties properties,
            KafkaDeadLetterWriter deadLetters,
            ObjectProvider<StartProof> proof) {
        return new KafkaDeliveryHooks(
                beans, listeners::getObject, batches::getObject, properties.settings(), deadLetters, proof::getObject);
    }

    @Bean
    UnhookedRecords idempotentUnhookedRecords() {
        return new UnhookedRecords();
    }

    @Bean
    KafkaDeadLetterWriter idempotentKafkaDeadLetters(
            IdemKafkaProperties properties,
            ObjectProvider<KafkaOperations<?, ?>> template,
            ApplicationContext application) {
        return new KafkaDeadLetterWriter(
                properties.settings(),
                () -> Optional.ofNullable(template.getIfUnique())
                        .orElseThrow(() -> new ListenerConfigurationException(
                                "idem.consumer.kafka.dead-letter.topic-suffix is set, and there is no KafkaTemplate, or"
                                        + " several of which none is primary",
                                "Make the one that is to publish dead letters @Primary, or leave the suffix out")),
                new TemplateConfigurer(application));
    }

    /** Keeps the resolvers that an application's own configurers, which come first, have set. */
    @Bean
    KafkaListenerConfigurer idempotentKafkaListenerConfigurer() {
        return registrar -> registrar.setCustomMethodArgumentResolvers(Stream.concat(
                        registrar.getCustomMethodArgumentResolvers().stream(), Stream.of(new ContextArgumentResolver()))
                .toArray(HandlerMethodArgumentResolver[]::new));
    }

    /** The source of dead letters for operators. The brokers to which it connects matter only for a redrive. */
    @Bean
    @ConditionalOnMissingBean
    KafkaDeadLetterSource idempotentKafkaDeadLetterSource(
            ObjectProvider<ConsumerFactory<?, ?>> consumers,
            ObjectProvider<ProducerFactory<?, ?>> producers,
            ObjectProvider<IdempotentListeners> listeners) {
        return new KafkaDeadLetterSource(consumers::getObject, producers::getObject, listeners::getObject);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(ProducerFactory.class)
    KafkaOutgoingTransport idempotentKafkaTransport(ProducerFactory<?, ?> producerFactory) {
        return new KafkaOutgoingTransport(producerFactory);
    }
}
