package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.contract.ContractConfiguration;
import io.idem.consumer.internal.rabbit.publish.AwaitedPublications;
import io.idem.consumer.rabbit.publish.IdempotencyHeadersPostProcessor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.CorrelationDataPostProcessor;
import org.springframework.amqp.rabbit.core.RabbitOperations;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.retry.RetryTemplate;

/** Messages of a template bean carry a key and are waited for, however the bean is made. No broker is needed to know. */
@ExtendWith(OutputCaptureExtension.class)
class TemplateBeansTest {

    private final RabbitTemplate template = new RabbitTemplate(new CachingConnectionFactory());

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues("spring.rabbitmq.listener.simple.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {}

    private void assertEquipped() {
        assertEquipped(template);
    }

    /** Each part is there once, since two of them would each keep a message, or keep it from leaving. */
    private static void assertEquipped(RabbitTemplate template) {
        assertThat(template.getBeforePublishPostProcessors())
                .filteredOn(added ->
                        added instanceof IdempotencyHeadersPostProcessor || added instanceof AwaitedPublications)
                .hasExactlyElementsOfTypes(AwaitedPublications.class, IdempotencyHeadersPostProcessor.class);
        assertThat(template).extracting("correlationDataPostProcessor").isInstanceOf(AwaitedPublications.class);
        assertThat(template)
                .extracting("retryTemplate")
                .extracting(retries -> retries.getClass().getSimpleName())
                .isEqualTo("InboxSends");
        assertThat(template)
                .extracting("retryTemplate.own")
                .satisfiesAnyOf(
                        own -> assertThat(own).isNull(),
                        own -> assertThat(own).isExactlyInstanceOf(RetryTemplate.class));
    }

    @Test
    void aTemplateThatIsRegisteredAsItIs() {
        runner.withInitializer(context -> context.getBeanFactory().registerSingleton("own", template))
                .run(context -> assertEquipped());
    }

    @Test
    void aTemplateThatAPostProcessorNeeds() {
        runner.withBean("own", RabbitTemplate.class, () -> template)
                .withUserConfiguration(Needing.class)
                .run(context -> assertEquipped());
    }

    static class Needing {

        @Bean
        static BeanPostProcessor needing(RabbitTemplate own) {
            return new BeanPostProcessor() {};
        }
    }

    @Test
    void aTemplateOfAFactoryBean() {
        runner.withInitializer(context -> context.getBeanFactory().registerSingleton("own", new Factory(template)))
                .run(context -> {
                    assertThat(context.getBean("own")).isSameAs(template);
                    assertEquipped();
                });
    }

    record Factory(RabbitTemplate template) implements FactoryBean<RabbitTemplate> {

        @Override
        public RabbitTemplate getObject() {
            return template;
        }

        @Override
        public Class<?> getObjectType() {
            return RabbitTemplate.class;
        }
    }

    @Test
    void aTemplateBehindAProxy() {
        ProxyFactory proxies = new ProxyFactory(template);
        runner.withBean("own", RabbitOperations.class, () -> (RabbitOperations) proxies.getProxy())
                .run(context -> assertEquipped());
    }

    @Test
    void aTemplateBehindAProxyOfItsClass() {
        ProxyFactory proxies = new ProxyFactory(template);
        proxies.setProxyTargetClass(true);
        runner.withBean("own", RabbitTemplate.class, () -> (RabbitTemplate) proxies.getProxy())
                .run(context -> assertEquipped());
    }

    @Test
    void aTemplateOfTwoNames() {
        runner.withBean("own", RabbitTemplate.class, () -> template)
                .withBean("alias", RabbitOperations.class, () -> template)
                .run(context -> assertEquipped());
    }

    @Test
    void aTemplateThatAnotherBeanSetsUp() {
        MessagePostProcessor signed = message -> message;
        RetryTemplate retries = new RetryTemplate();
        CorrelationDataPostProcessor correlation = (message, data) -> data == null ? new CorrelationData() : data;
        RabbitTemplate retried = new RabbitTemplate(new CachingConnectionFactory());
        RabbitTemplate correlated = new RabbitTemplate(new CachingConnectionFactory());
        runner.withBean("own", RabbitTemplate.class, () -> template)
                .withBean("retried", RabbitTemplate.class, () -> retried)
                .withBean("correlated", RabbitTemplate.class, () -> correlated)
                .withBean("setUp", Object.class, () -> {
                    template.setBeforePublishPostProcessors(signed);
                    retried.setRetryTemplate(retries);
                    correlated.setCorrelationDataPostProcessor(correlation);
                    return signed;
                })
                .run(context -> {
                    Stream.of(template, retried, correlated).forEach(TemplateBeansTest::assertEquipped);
                    assertThat(template.getBeforePublishPostProcessors()).contains(signed);
                    assertThat(retried).extracting("retryTemplate.own").isSameAs(retries);
                    assertThat(correlated)
                            .extracting("correlationDataPostProcessor.own")
                            .isSameAs(correlation);
                });
    }

    @Test
    void eachTemplateOfAScope() {
        runner.withInitializer(context -> {
                    RootBeanDefinition prototype = new RootBeanDefinition(
                            RabbitTemplate.class, () -> new RabbitTemplate(new CachingConnectionFactory()));
                    prototype.setScope(BeanDefinition.SCOPE_PROTOTYPE);
                    BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
                    BeanDefinitionHolder proxy = ScopedProxyUtils.createScopedProxy(
                            new BeanDefinitionHolder(prototype, "own"), registry, true);
                    registry.registerBeanDefinition("own", proxy.getBeanDefinition());
                })
                .run(context -> {
                    assertThat(context.getBean("own", RabbitTemplate.class).getExchange())
                            .isEmpty();
                    assertEquipped(context.getBean("scopedTarget.own", RabbitTemplate.class));
                });
    }

    @Test
    void aTemplateOfAParentContext() {
        new ApplicationContextRunner()
                .withBean("own", RabbitTemplate.class, () -> template)
                .run(parent -> runner.withParent(parent).run(context -> assertEquipped()));
    }

    @Test
    void aTemplateThatIsMadeForEachUseIsWarnedOfOnce(CapturedOutput output) {
        runner.withBean(
                        "each",
                        RabbitTemplate.class,
                        () -> new RabbitTemplate(new CachingConnectionFactory()),
                        definition -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE))
                .run(context -> {
                    assertEquipped(context.getBean("each", RabbitTemplate.class));
                    assertEquipped(context.getBean("each", RabbitTemplate.class));
                    assertThat(output).containsOnlyOnce("through template \"each\" may be lost");
                });
    }

    /** A spy has a template's fields. A mock has none, and publishes nothing. */
    @Test
    void aSpyAndNotAMock() {
        RabbitTemplate spy = Mockito.spy(template);
        RabbitTemplate mock = Mockito.mock();
        CachingConnectionFactory connections = Mockito.mock();
        runner.withInitializer(context -> {
                    context.getBeanFactory().registerSingleton("mock", mock);
                    context.getBeanFactory().registerSingleton("spy", spy);
                })
                .withBean("mocked", RabbitTemplate.class, () -> mock)
                .withBean("connections", CachingConnectionFactory.class, () -> connections)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertEquipped(spy);
                    Mockito.verify(mock, Mockito.never()).setRetryTemplate(Mockito.any());
                });
    }
}
