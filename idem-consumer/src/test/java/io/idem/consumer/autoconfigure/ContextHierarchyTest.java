package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.ContractConfiguration;
import io.idem.consumer.internal.kafka.container.IdempotentRecordListener;
import io.idem.servers.spring.RabbitOfBoot;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** Listeners in a context of the hierarchy that idem does not see are refused, with a remedy that works. */
class ContextHierarchyTest {

    private static final String[] SETTINGS = {
        "spring.rabbitmq.listener.simple.auto-startup=false",
        "spring.kafka.listener.auto-startup=false",
        "spring.kafka.consumer.group-id=payments"
    };

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class WithIdem {}

    static class RabbitPayments {

        @RabbitListener(id = "payments", queues = "payments")
        @IdempotentListener(scope = "payments")
        public void pay(String body) {}
    }

    static class KafkaPayments {

        @KafkaListener(id = "kafka-payments", topics = "payments")
        @IdempotentListener(scope = "kafka-payments")
        public void pay(String body) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRabbit
    @Import(RabbitPayments.class)
    static class RabbitChild {}

    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    @Import(KafkaPayments.class)
    static class KafkaChild {}

    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    static class UndeclaredChild {

        @Bean
        Object payments() {
            return new KafkaPayments();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableRabbit
    @EnableKafka
    @Import({RabbitPayments.class, KafkaPayments.class})
    static class CuredChild {}

    @Configuration(proxyBeanMethods = false)
    static class Other {}

    private static SpringApplicationBuilder builder(Class<?> configuration) {
        return new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .properties(SETTINGS);
    }

    private static void assertRefused(ThrowingCallable start) {
        assertThatThrownBy(start)
                .satisfies(failure -> assertThat(refusal(failure))
                        .hasMessageContaining("is a bean of the context")
                        .hasMessageContaining("Put @EnableAutoConfiguration beside the @EnableRabbit or @EnableKafka"));
    }

    private static @Nullable Throwable refusal(Throwable failure) {
        return Stream.<@Nullable Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(ListenerConfigurationException.class::isInstance)
                .findFirst()
                .orElseThrow(() -> new AssertionError("refused for another reason", failure));
    }

    private static AnnotationConfigApplicationContext child(ConfigurableApplicationContext parent, Class<?>... types) {
        AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
        child.setParent(parent);
        child.register(types);
        return child;
    }

    @ParameterizedTest
    @ValueSource(classes = {RabbitChild.class, KafkaChild.class, UndeclaredChild.class})
    @Tag("extended")
    void aListenerInAChildContextIsRefused(Class<?> configuration) {
        try (ConfigurableApplicationContext parent = builder(WithIdem.class).run()) {
            AnnotationConfigApplicationContext child = child(parent, configuration);

            assertRefused(child::refresh);

            assertThat(child.isActive()).isFalse();
        }
    }

    @Test
    @Tag("extended")
    void aListenerInAGrandchildIsRefused() {
        try (ConfigurableApplicationContext parent = builder(WithIdem.class).run();
                AnnotationConfigApplicationContext middle = child(parent, Other.class)) {
            middle.refresh();

            assertRefused(child(middle, RabbitChild.class)::refresh);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {RabbitChild.class, KafkaChild.class})
    void aListenerInAChildOfABuilderIsRefused(Class<?> configuration) {
        SpringApplicationBuilder child =
                builder(WithIdem.class).child(configuration).web(WebApplicationType.NONE);

        assertRefused(child::run);
    }

    @Test
    void aListenerInTheParentOfIdemIsRefused() {
        SpringApplicationBuilder child =
                builder(BrokersOnly.class).child(WithIdem.class).web(WebApplicationType.NONE);

        assertRefused(child::run);
    }

    /** Has Boot's RabbitMQ, and nothing of idem. */
    @Configuration(proxyBeanMethods = false)
    @Import({BootsRabbit.class, RabbitPayments.class})
    static class BrokersOnly {}

    static class BootsRabbit implements ImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return new String[] {RabbitOfBoot.autoConfiguration().getName()};
        }
    }

    @Test
    @Tag("extended")
    void autoConfigurationInTheChildGuardsItsListeners() {
        try (ConfigurableApplicationContext child = builder(WithIdem.class)
                .child(CuredChild.class)
                .web(WebApplicationType.NONE)
                .run()) {
            assertThat(AopUtils.isAopProxy(child.getBean(RabbitPayments.class))).isTrue();
            assertThat(AopUtils.isAopProxy(child.getBean(KafkaPayments.class))).isTrue();
            assertThat(child.getBean(RabbitListenerEndpointRegistry.class).getListenerContainer("payments"))
                    .extracting("adviceChain")
                    .asInstanceOf(InstanceOfAssertFactories.ARRAY)
                    .isNotEmpty();
            assertThat(child.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("kafka-payments"))
                    .extracting("containerProperties.messageListener")
                    .isInstanceOf(IdempotentRecordListener.class);
        }
    }

    @Test
    @Tag("extended")
    void aChildWithoutListenersStarts() {
        try (ConfigurableApplicationContext parent = builder(WithIdem.class).run();
                AnnotationConfigApplicationContext child = child(parent, Other.class)) {
            child.refresh();

            assertThat(child.isActive()).isTrue();
        }
    }
}
