package io.idem.applications.rabbit.customizedadvice;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application with a container customizer that sets an advice chain. */
@SpringBootApplication
public class CustomizedAdvice {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    ContainerCustomizer<SimpleMessageListenerContainer> counting() {
        MethodInterceptor counting = MethodInvocation::proceed;
        return container -> container.setAdviceChain(counting);
    }
}
