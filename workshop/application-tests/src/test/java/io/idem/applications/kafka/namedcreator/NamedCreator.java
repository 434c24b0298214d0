package io.idem.applications.kafka.namedcreator;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** An application that creates proxies by bean name. */
@SpringBootApplication
public class NamedCreator {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    static MethodInterceptor timing() {
        return MethodInvocation::proceed;
    }

    @Bean
    static BeanNameAutoProxyCreator creator() {
        BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
        creator.setBeanNames("*ayments");
        creator.setInterceptorNames("timing");
        creator.setProxyTargetClass(true);
        return creator;
    }
}
