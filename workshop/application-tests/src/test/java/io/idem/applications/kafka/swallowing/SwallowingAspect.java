package io.idem.applications.kafka.swallowing;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** An application with an aspect outside of idem that does not call the method. */
@SpringBootApplication
public class SwallowingAspect {

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
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor maintenance() {
        NameMatchMethodPointcut pay = new NameMatchMethodPointcut();
        pay.setMappedName("pay");
        pay.setClassFilter(Payments.class::isAssignableFrom);
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pay, (MethodInterceptor) call -> null);
        advisor.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return advisor;
    }
}
