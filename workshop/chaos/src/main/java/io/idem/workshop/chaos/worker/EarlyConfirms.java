package io.idem.workshop.chaos.worker;

import io.idem.consumer.rabbit.publish.PropagatingRabbitTemplate;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Implements {@link Flaw#COMPLETE_BEFORE_CONFIRM}: reports a confirm as soon as the message is sent. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = Names.FLAW, havingValue = "COMPLETE_BEFORE_CONFIRM")
class EarlyConfirms {

    @Bean
    static BeanPostProcessor earlyConfirms() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String beanName) {
                return bean instanceof PropagatingRabbitTemplate template ? confirmingAtOnce(template) : bean;
            }
        };
    }

    private static Object confirmingAtOnce(PropagatingRabbitTemplate template) {
        ProxyFactory factory = new ProxyFactory(template);
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) EarlyConfirms::confirmingAtOnce);
        return factory.getProxy();
    }

    private static @Nullable Object confirmingAtOnce(MethodInvocation call) throws Throwable {
        Object result = call.proceed();
        return result instanceof CompletableFuture<?> ? CompletableFuture.completedFuture(null) : result;
    }
}
