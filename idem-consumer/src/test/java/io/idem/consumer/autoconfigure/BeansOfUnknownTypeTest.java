package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.ContractConfiguration;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListenerConfigurer;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;

/** Listeners whose classes are known only when their beans are made are refused before a message comes to them. */
class BeansOfUnknownTypeTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {}

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(
                    "spring.rabbitmq.listener.simple.auto-startup=false",
                    "spring.kafka.listener.auto-startup=false",
                    "spring.kafka.consumer.group-id=payments");

    static class FinalMethod {

        @RabbitListener(id = "payments", queues = "payments")
        @IdempotentListener(scope = "payments")
        public final void pay(String body) {}
    }

    static class FinalKafkaMethod {

        @KafkaListener(id = "payments", topics = "payments")
        @IdempotentListener(scope = "payments")
        public final void pay(String body) {}
    }

    static final class FinalClass {

        @RabbitListener(id = "payments", queues = "payments")
        @IdempotentListener(scope = "payments")
        void pay(String body) {}
    }

    static class PrivateMethod {

        @RabbitListener(id = "payments", queues = "payments")
        @IdempotentListener(scope = "payments")
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"})
        private void pay(String body) {}
    }

    static class Payments {

        @RabbitListener(id = "payments", queues = "payments")
        @IdempotentListener(scope = "payments")
        public void pay(String body) {}
    }

    /** Says nothing about the class of its product. */
    record Making(Supplier<Object> product) implements FactoryBean<Object> {

        @Override
        public Object getObject() {
            return product.get();
        }

        @Override
        public @Nullable Class<?> getObjectType() {
            return null;
        }
    }

    private static ListenerConfigurationException refusal(@Nullable Throwable failure) {
        return Stream.<@Nullable Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(ListenerConfigurationException.class::isInstance)
                .map(ListenerConfigurationException.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("refused for another reason", failure));
    }

    private void assertRefusedAtStart(ApplicationContextRunner application, String words) {
        application.run(context -> {
            assertThat(context).hasFailed();
            assertThat(refusal(context.getStartupFailure())).hasMessageContaining(words);
        });
    }

    static class FinalMade {

        @Bean
        static Making payments() {
            return new Making(FinalMethod::new);
        }
    }

    static class FinalKafkaMade {

        @Bean
        static Making payments() {
            return new Making(FinalKafkaMethod::new);
        }
    }

    static class FinalClassMade {

        @Bean
        static Making payments() {
            return new Making(FinalClass::new);
        }
    }

    static class PrivateMade {

        @Bean
        static Making payments() {
            return new Making(PrivateMethod::new);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {FinalMade.class, FinalKafkaMade.class, FinalClassMade.class, PrivateMade.class})
    void theProductOfAFactoryBeanIsRefusedAtTheStartThatMakesIt(Class<?> factory) {
        assertRefusedAtStart(
                runner.withUserConfiguration(factory)
                        .withBean("needing", Object.class, () -> "", definition -> definition.setDependsOn("payments")),
                "no proxy can guard");
    }

    @ParameterizedTest
    @ValueSource(classes = {FinalMade.class, FinalKafkaMade.class, FinalClassMade.class, PrivateMade.class})
    @Tag("extended")
    void theProductOfAFactoryBeanIsRefusedWhenItIsMadeLater(Class<?> factory) {
        runner.withUserConfiguration(factory).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> context.getBean("payments"))
                    .satisfies(failure -> assertThat(refusal(failure)).hasMessageContaining("no proxy can guard"));
            assertThat(context.getBean(RabbitListenerEndpointRegistry.class).getListenerContainerIds())
                    .isEmpty();
            assertThat(context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainerIds())
                    .isEmpty();
        });
    }

    static class Undeclared {

        @Bean
        static Object payments() {
            return new FinalMethod();
        }
    }

    static class UndeclaredFinalClass {

        @Bean
        static Object payments() {
            return new FinalClass();
        }
    }

    static class UndeclaredScoped {

        @Bean
        @Scope(value = BeanDefinition.SCOPE_SINGLETON, proxyMode = ScopedProxyMode.TARGET_CLASS)
        static FinalMethod payments() {
            return new FinalMethod();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Undeclared.class, UndeclaredFinalClass.class, UndeclaredScoped.class})
    @Tag("extended")
    void aBeanWhoseMethodDeclaresAnotherTypeIsRefusedAtStart(Class<?> configuration) {
        assertRefusedAtStart(runner.withUserConfiguration(configuration), "no proxy can guard");
    }

    static class LazilyUndeclared {

        @Bean
        @Lazy
        static Object payments() {
            return new FinalMethod();
        }
    }

    @Test
    void aLazyBeanOfUnknownTypeIsRefusedWhenItIsMade() {
        runner.withUserConfiguration(LazilyUndeclared.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> context.getBean("payments"))
                    .satisfies(failure -> assertThat(refusal(failure)).hasMessageContaining("no proxy can guard"));
        });
    }

    static class Registering {

        /** Its object is no bean. */
        @Bean
        static RabbitListenerConfigurer configurer() {
            return registrar -> {
                MethodRabbitListenerEndpoint endpoint = new MethodRabbitListenerEndpoint();
                endpoint.setId("payments");
                endpoint.setQueueNames("payments");
                endpoint.setBean(new Payments());
                endpoint.setMethod(Payments.class.getMethods()[0]);
                endpoint.setMessageHandlerMethodFactory(new DefaultMessageHandlerMethodFactory());
                registrar.registerEndpoint(endpoint);
            };
        }
    }

    static class KafkaPayments {

        @IdempotentListener(scope = "payments")
        @KafkaListener(topics = "payments")
        public void pay(String body) {}
    }

    static class RegisteringOnKafka {

        @Bean
        static KafkaListenerConfigurer configurer() {
            return registrar -> {
                MethodKafkaListenerEndpoint<String, String> endpoint = new MethodKafkaListenerEndpoint<>();
                endpoint.setId("payments");
                endpoint.setTopics("payments");
                endpoint.setBean(new KafkaPayments());
                endpoint.setMethod(KafkaPayments.class.getMethods()[0]);
                endpoint.setMessageHandlerMethodFactory(new DefaultMessageHandlerMethodFactory());
                registrar.registerEndpoint(endpoint);
            };
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Registering.class, RegisteringOnKafka.class})
    @Tag("extended")
    void anObjectThatIsRegisteredByHandAndIsNoBeanIsRefused(Class<?> configuration) {
        assertRefusedAtStart(runner.withUserConfiguration(configuration), "is not guarded");
    }

    static class Circle {

        @RabbitListener(id = "payments", queues = "payments")
        @IdempotentListener(scope = "payments")
        public void pay(String body) {}

        @Autowired
        void needs(Other other) {}
    }

    record Other(Circle circle) {}

    @Test
    void aListenerInACircularReferenceIsNotCalledUnguarded() {
        runner.withPropertyValues("spring.main.allow-circular-references=true")
                .withInitializer(context ->
                        ((DefaultListableBeanFactory) context.getBeanFactory()).setAllowCircularReferences(true))
                .withUserConfiguration(Circle.class, Other.class)
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(refusal(context.getStartupFailure())).hasMessageContaining("circular reference");
                });
    }

    static class Guarded {

        @Bean
        static Making payments() {
            return new Making(Payments::new);
        }
    }

    @Test
    void theProductOfAFactoryBeanThatAProxyCanGuardIsRegistered() {
        runner.withUserConfiguration(Guarded.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean("payments");
            assertThat(context.getBean(RabbitListenerEndpointRegistry.class).getListenerContainerIds())
                    .containsExactly("payments");
        });
    }
}
