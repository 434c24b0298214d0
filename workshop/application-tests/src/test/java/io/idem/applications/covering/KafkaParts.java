package io.idem.applications.covering;

import io.idem.applications.covering.ListenerBean.EndpointRegistration;
import io.idem.applications.covering.Work.Receipts;
import io.idem.applications.shop.Ledger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.kafka.autoconfigure.ConcurrentKafkaListenerContainerFactoryConfigurer;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.kafka.annotation.KafkaListenerConfigurer;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.util.backoff.FixedBackOff;

/** The configuration classes from which Kafka applications are assembled. */
final class KafkaParts {

    private static final String FACTORY = "kafkaListenerContainerFactory";

    private KafkaParts() {}

    /** Creates container factories that are configured like those of Spring Boot. */
    record Factories(
            ConcurrentKafkaListenerContainerFactoryConfigurer configurer, ConsumerFactory<Object, Object> consumers) {

        ConcurrentKafkaListenerContainerFactory<Object, Object> make(
                ConcurrentKafkaListenerContainerFactory<Object, Object> factory) {
            configurer.configure(factory, consumers);
            return factory;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FactoryBean {

        @Bean(FACTORY)
        ConcurrentKafkaListenerContainerFactory<Object, Object> factory(Factories factories) {
            return factories.make(new ConcurrentKafkaListenerContainerFactory<>());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FactoryThatIsNoBean {

        @Bean
        Hidden hidden(Factories factories) {
            return new Hidden(factories.make(new ConcurrentKafkaListenerContainerFactory<>()));
        }

        @Bean
        KafkaListenerConfigurer containers(Hidden hidden) {
            return registrar -> registrar.setContainerFactory(hidden.factory());
        }
    }

    /** Wraps a factory, so that it is no bean. */
    record Hidden(ConcurrentKafkaListenerContainerFactory<Object, Object> factory) {}

    @Configuration(proxyBeanMethods = false)
    static class CustomizedContainer {

        @Bean
        ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> customizer() {
            return container -> container.getContainerProperties().setIdleBetweenPolls(10);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OverriddenFactory {

        @Bean(FACTORY)
        ConcurrentKafkaListenerContainerFactory<Object, Object> factory(Factories factories) {
            return factories.make(new Own());
        }

        private static final class Own extends ConcurrentKafkaListenerContainerFactory<Object, Object> {

            @Override
            protected void initializeContainer(
                    ConcurrentMessageListenerContainer<Object, Object> container, KafkaListenerEndpoint endpoint) {
                super.initializeContainer(container, endpoint);
                container.getContainerProperties().setIdleBetweenPolls(10);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Retry {

        @Bean
        DefaultErrorHandler errorHandler() {
            return new DefaultErrorHandler(new FixedBackOff(0, 2));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Recoverer {

        @Bean
        DefaultErrorHandler errorHandler(
                KafkaTemplate<?, ?> template, @Value("${spring.kafka.listener.ack-mode:batch}") String mode) {
            DefaultErrorHandler handler =
                    new DefaultErrorHandler(new DeadLetterPublishingRecoverer(template), new FixedBackOff(0, 0));
            handler.setCommitRecovered(mode.equals("manual_immediate"));
            return handler;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ListenerErrorHandler {

        @Bean
        KafkaListenerErrorHandler excuses(Ledger ledger) {
            return new Excuses(ledger);
        }
    }

    private record Excuses(Ledger ledger) implements KafkaListenerErrorHandler {

        @Override
        public Object handleError(Message<?> message, ListenerExecutionFailedException failure) {
            throw failure;
        }

        @Override
        public Object handleError(
                Message<?> message,
                ListenerExecutionFailedException failure,
                @Nullable Consumer<?, ?> consumer,
                @Nullable Acknowledgment acknowledgment) {
            ledger.setAside(String.valueOf(message.getPayload()));
            if (acknowledgment != null) {
                acknowledgment.acknowledge();
            }
            return "";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ContainerErrorHandler {

        @Bean
        CommonErrorHandler keeping(Ledger ledger) {
            return new Keeping(ledger);
        }
    }

    private record Keeping(Ledger ledger) implements CommonErrorHandler {

        @Override
        public boolean handleOne(
                Exception failure,
                ConsumerRecord<?, ?> record,
                Consumer<?, ?> consumer,
                MessageListenerContainer container) {
            ledger.setAside(String.valueOf(record.value()));
            return true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SeveralConnections {

        @Bean
        @Primary
        ProducerFactory<Object, Object> paymentProducers(KafkaProperties properties) {
            return new DefaultKafkaProducerFactory<>(properties.buildProducerProperties());
        }

        @Bean
        ProducerFactory<Object, Object> archiveProducers(KafkaProperties properties) {
            return new DefaultKafkaProducerFactory<>(properties.buildProducerProperties());
        }

        @Bean
        @Primary
        KafkaTemplate<Object, Object> paymentTemplate(ProducerFactory<Object, Object> producers) {
            return new KafkaTemplate<>(producers);
        }

        @Bean
        KafkaTemplate<Object, Object> archiveTemplate(
                @Qualifier("archiveProducers") ProducerFactory<Object, Object> producers) {
            return new KafkaTemplate<>(producers);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BootsTemplate {

        @Bean
        Receipts receipts(KafkaTemplate<Object, Object> template, @Value("${shop.queue}-events") String events) {
            return payment -> template.send(events, payment).join();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TemplateBean {

        @Bean
        KafkaTemplate<Object, Object> receiptTemplate(ProducerFactory<Object, Object> producers) {
            return new KafkaTemplate<>(producers);
        }

        @Bean
        Receipts receipts(
                @Qualifier("receiptTemplate") KafkaTemplate<Object, Object> template,
                @Value("${shop.queue}-events") String events) {
            return payment -> template.send(events, payment).join();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TemplateThatIsNoBean {

        @Bean
        Receipts receipts(ProducerFactory<Object, Object> producers, @Value("${shop.queue}-events") String events) {
            KafkaTemplate<Object, Object> template = new KafkaTemplate<>(producers);
            return payment -> template.send(events, payment).join();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Programmatic {

        @Bean
        EndpointRegistration registration(
                KafkaListenerEndpointRegistry registry,
                ObjectProvider<Hidden> hidden,
                ObjectProvider<ConcurrentKafkaListenerContainerFactory<Object, Object>> factory,
                ObjectProvider<KafkaListenerErrorHandler> errorHandler,
                @Value("${shop.queue}") String topic) {
            return listener -> {
                DefaultMessageHandlerMethodFactory methods = new DefaultMessageHandlerMethodFactory();
                methods.afterPropertiesSet();
                MethodKafkaListenerEndpoint<Object, Object> endpoint = new MethodKafkaListenerEndpoint<>();
                endpoint.setId("by-code");
                endpoint.setGroupId(topic);
                endpoint.setTopics(topic);
                endpoint.setBean(listener);
                endpoint.setMethod(ListenerBean.method(listener));
                endpoint.setMessageHandlerMethodFactory(methods);
                errorHandler.ifAvailable(endpoint::setErrorHandler);
                Hidden own = hidden.getIfAvailable();
                registry.registerListenerContainer(endpoint, own == null ? factory.getObject() : own.factory(), true);
            };
        }
    }
}
