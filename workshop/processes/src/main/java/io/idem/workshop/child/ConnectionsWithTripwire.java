package io.idem.workshop.child;

import com.rabbitmq.client.Channel;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Adds a tripwire before acknowledgements to the RabbitMQ connections of the application. Changes nothing else. */
record ConnectionsWithTripwire(Tripwire tripwire) implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof ConnectionFactory ? watched(bean) : bean;
    }

    private Object watched(Object target) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.addAdvice((MethodInterceptor) this::call);
        return factory.getProxy();
    }

    private @Nullable Object call(MethodInvocation invocation) throws Throwable {
        if (invocation.getMethod().getName().equals("basicAck")) {
            tripwire.pass(Point.LETTER_COPIED);
        }
        Object result = invocation.proceed();
        return result instanceof Connection || result instanceof Channel ? watched(result) : result;
    }
}
