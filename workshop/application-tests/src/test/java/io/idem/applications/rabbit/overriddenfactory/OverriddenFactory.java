package io.idem.applications.rabbit.overriddenfactory;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application with a subclass of the factory that changes the container last. */
@SpringBootApplication
public class OverriddenFactory {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}", containerFactory = "own")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    SimpleRabbitListenerContainerFactory own(ConnectionFactory connections) {
        SimpleRabbitListenerContainerFactory factory = new Finishing();
        factory.setConnectionFactory(connections);
        return factory;
    }

    private static final class Finishing extends SimpleRabbitListenerContainerFactory {

        @Override
        protected void initializeContainer(
                SimpleMessageListenerContainer container, @Nullable RabbitListenerEndpoint endpoint) {
            super.initializeContainer(container, endpoint);
            MethodInterceptor counting = MethodInvocation::proceed;
            container.setAdviceChain(counting);
        }
    }
}
