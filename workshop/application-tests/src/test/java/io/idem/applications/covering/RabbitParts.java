package io.idem.applications.covering;

import io.idem.applications.covering.ListenerBean.EndpointRegistration;
import io.idem.applications.covering.Work.Receipts;
import io.idem.applications.shop.Ledger;
import io.idem.servers.spring.RabbitOfBoot;
import java.nio.charset.StandardCharsets;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.util.ErrorHandler;

/** The configuration classes from which RabbitMQ applications are assembled. */
final class RabbitParts {

    private static final String FACTORY = "rabbitListenerContainerFactory";

    private RabbitParts() {}

    /** Creates factories for simple or direct containers that are configured like those of Spring Boot. */
    record Factories(
            BeanFactory beans,
            ConnectionFactory connections,

            @Value("${spring.rabbitmq.listener.type:simple}")
            String type) {

        AbstractRabbitListenerContainerFactory<?> make(
                SimpleRabbitListenerContainerFactory whenSimple, DirectRabbitListenerContainerFactory whenDirect) {
            return RabbitOfBoot.configured(type.equals("direct") ? whenDirect : whenSimple, connections, beans);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FactoryBean {

        @Bean(FACTORY)
        AbstractRabbitListenerContainerFactory<?> factory(Factories factories) {
            return factories.make(
                    new SimpleRabbitListenerContainerFactory(), new DirectRabbitListenerContainerFactory());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FactoryThatIsNoBean {

        @Bean
        Hidden hidden(Factories factories, @Qualifier("rejecting") ObjectProvider<ErrorHandler> errorHandler) {
            AbstractRabbitListenerContainerFactory<?> factory = factories.make(
                    new SimpleRabbitListenerContainerFactory(), new DirectRabbitListenerContainerFactory());
            errorHandler.ifAvailable(factory::setErrorHandler);
            return new Hidden(factory);
        }

        @Bean
        RabbitListenerConfigurer containers(Hidden hidden) {
            return registrar -> registrar.setContainerFactory(hidden.factory());
        }
    }

    /** Wraps a factory, so that it is no bean. */
    record Hidden(AbstractRabbitListenerContainerFactory<?> factory) {}

    @Configuration(proxyBeanMethods = false)
    static class CustomizedContainer {

        @Bean
        ContainerCustomizer<SimpleMessageListenerContainer> simple() {
            return CustomizedContainer::customize;
        }

        @Bean
        ContainerCustomizer<DirectMessageListenerContainer> direct() {
            return CustomizedContainer::customize;
        }

        private static void customize(AbstractMessageListenerContainer container) {
            container.setAdviceChain((MethodInterceptor) MethodInvocation::proceed);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OverriddenFactory {

        @Bean(FACTORY)
        AbstractRabbitListenerContainerFactory<?> factory(Factories factories) {
            return factories.make(new Simple(), new Direct());
        }

        private static final class Simple extends SimpleRabbitListenerContainerFactory {

            @Override
            protected void initializeContainer(
                    SimpleMessageListenerContainer container, @Nullable RabbitListenerEndpoint endpoint) {
                super.initializeContainer(container, endpoint);
                container.setPrefetchCount(7);
            }
        }

        private static final class Direct extends DirectRabbitListenerContainerFactory {

            @Override
            protected void initializeContainer(
                    DirectMessageListenerContainer container, @Nullable RabbitListenerEndpoint endpoint) {
                super.initializeContainer(container, endpoint);
                container.setPrefetchCount(7);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Recoverer {

        @Bean
        MessageRecoverer recoverer(Ledger ledger) {
            return (message, cause) -> ledger.setAside(new String(message.getBody(), StandardCharsets.UTF_8));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ListenerErrorHandler {

        @Bean
        RabbitListenerErrorHandler excuses(Ledger ledger) {
            return (amqp, channel, message, failure) -> {
                ledger.setAside(new String(amqp.getBody(), StandardCharsets.UTF_8));
                return null;
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ContainerErrorHandler {

        @Bean
        static ErrorHandler rejecting() {
            return failure -> {
                throw new AmqpRejectAndDontRequeueException("No second try", failure);
            };
        }

        @Autowired
        void handle(ObjectProvider<AbstractRabbitListenerContainerFactory<?>> factory, ErrorHandler rejecting) {
            factory.ifAvailable(bean -> bean.setErrorHandler(rejecting));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SeveralConnections {

        private final Environment environment;

        SeveralConnections(Environment environment) {
            this.environment = environment;
        }

        @Bean
        @Primary
        CachingConnectionFactory paymentConnections() {
            return connections();
        }

        @Bean
        CachingConnectionFactory archiveConnections() {
            return connections();
        }

        private CachingConnectionFactory connections() {
            CachingConnectionFactory connections =
                    new CachingConnectionFactory(property("host"), Integer.parseInt(property("port")));
            connections.setUsername(property("username"));
            connections.setPassword(property("password"));
            connections.setVirtualHost(property("virtual-host"));
            connections.setPublisherConfirmType(ConfirmType.CORRELATED);
            connections.setPublisherReturns(true);
            return connections;
        }

        private String property(String name) {
            return environment.getRequiredProperty("spring.rabbitmq." + name);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BootsTemplate {

        @Bean
        Receipts receipts(RabbitTemplate template, @Value("${shop.queue}.events") String events) {
            return payment -> template.convertAndSend("", events, payment);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TemplateBean {

        @Bean
        RabbitTemplate receiptTemplate(ConnectionFactory connections) {
            return new RabbitTemplate(connections);
        }

        @Bean
        Receipts receipts(RabbitTemplate receiptTemplate, @Value("${shop.queue}.events") String events) {
            return payment -> receiptTemplate.convertAndSend("", events, payment);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TemplateThatIsNoBean {

        @Bean
        Receipts receipts(ConnectionFactory connections, @Value("${shop.queue}.events") String events) {
            RabbitTemplate template = new RabbitTemplate(connections);
            return payment -> template.convertAndSend("", events, payment);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Programmatic {

        @Bean
        EndpointRegistration registration(
                RabbitListenerEndpointRegistry registry,
                ObjectProvider<Hidden> hidden,
                ObjectProvider<RabbitListenerContainerFactory<?>> factory,
                ObjectProvider<RabbitListenerErrorHandler> errorHandler,
                @Value("${shop.queue}") String queue) {
            return listener -> {
                DefaultMessageHandlerMethodFactory methods = new DefaultMessageHandlerMethodFactory();
                methods.afterPropertiesSet();
                MethodRabbitListenerEndpoint endpoint = new MethodRabbitListenerEndpoint();
                endpoint.setId("by-code");
                endpoint.setQueueNames(queue);
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
