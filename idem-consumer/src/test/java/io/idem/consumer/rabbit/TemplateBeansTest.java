package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.contract.ContractConfiguration;
import io.idem.consumer.internal.rabbit.publish.AwaitedPublications;
import io.idem.consumer.rabbit.publish.IdempotencyHeadersPostProcessor;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitOperations;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Whatever makes a template that is a bean, its messages carry a key and are waited for. No broker is needed to know. */
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
        assertThat(template.getBeforePublishPostProcessors())
                .hasAtLeastOneElementOfType(IdempotencyHeadersPostProcessor.class)
                .hasAtLeastOneElementOfType(AwaitedPublications.class);
        assertThat(template).extracting("correlationDataPostProcessor").isInstanceOf(AwaitedPublications.class);
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
}
