package io.idem.cloudstream;

import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.guard.ListenerRegistrar;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.consumer.internal.kafka.container.KafkaDeliveryHooks;
import io.idem.consumer.internal.kafka.container.ProducerFactoryPostProcessor;
import io.idem.consumer.internal.rabbit.container.RabbitHookInstaller;
import io.idem.consumer.internal.rabbit.send.RabbitTemplateHook;
import io.idem.consumer.kafka.deadletter.KafkaDeadLetterWriter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.stream.binder.DefaultBinderFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Idempotent functions of Spring Cloud Stream, and headers on what its producers send. */
@AutoConfiguration(
        afterName = {
            "io.idem.consumer.autoconfigure.IdemConsumerAutoConfiguration",
            "io.idem.consumer.autoconfigure.IdemRabbitAutoConfiguration",
            "io.idem.consumer.autoconfigure.IdemKafkaAutoConfiguration"
        })
@ConditionalOnClass(DefaultBinderFactory.class)
@EnableConfigurationProperties(CloudStreamProperties.class)
class IdemCloudStreamAutoConfiguration {

    @Bean
    BinderEquipment idempotentBinderEquipment(
            ObjectProvider<KnownBinder> kinds, ObjectProvider<GuardedBindings> bindings) {
        return new BinderEquipment(kinds::stream, bindings::getObject);
    }

    @Bean
    static CustomizedBinders idempotentCustomizedBinders(ObjectProvider<BinderEquipment> equipment) {
        return new CustomizedBinders(equipment::getObject);
    }

    @Bean
    GuardedBindings idempotentBindings(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<IdempotentListeners> listeners,
            ObjectProvider<ListenerRegistrar> registrar,
            BinderEquipment equipment,
            CloudStreamProperties settings,
            ObjectProvider<StartProof> proof) {
        return new GuardedBindings(
                beans, listeners::getObject, registrar::getObject, equipment, settings, proof::getObject);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.cloud.stream.binder.rabbit.RabbitMessageChannelBinder")
    static class Rabbit {

        @Bean
        RabbitBinder idempotentRabbitBinder(RabbitHookInstaller hooks, RabbitTemplateHook templates) {
            return new RabbitBinder(hooks, templates);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.cloud.stream.binder.kafka.KafkaMessageChannelBinder")
    static class Kafka {

        @Bean
        KafkaBinder idempotentKafkaBinder(
                KafkaDeliveryHooks hooks, ProducerFactoryPostProcessor producers, KafkaDeadLetterWriter letters) {
            return new KafkaBinder(hooks, producers, letters);
        }
    }
}
