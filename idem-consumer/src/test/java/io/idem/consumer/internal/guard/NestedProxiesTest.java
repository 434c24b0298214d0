package io.idem.consumer.internal.guard;

import static io.idem.consumer.internal.guard.Refusals.application;
import static io.idem.consumer.internal.guard.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.internal.method.ProxyLayers;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.MatchAlwaysTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** Beans in several proxies, each made by another proxy creator. */
@Tag("extended")
class NestedProxiesTest {

    static class Payments {

        private final EventLog log;

        Payments(EventLog log) {
            this.log = log;
        }

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "payments")
        @Transactional
        void on(String body) {
            log.note(EventLog.WORK);
        }
    }

    private static DeliveryDecision deliver(Payments payments, String key) throws Exception {
        return DecidingFixture.deliver(FakeMessage.withKey(key), () -> {
            payments.on("body");
            return null;
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import(Payments.class)
    static class WithPayments {}

    static BeanNameAutoProxyCreator byNames(String interceptor) {
        BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
        creator.setBeanNames("*Payments");
        creator.setInterceptorNames(interceptor);
        creator.setProxyTargetClass(true);
        return creator;
    }

    static class Counting implements MethodInterceptor {

        final AtomicInteger calls = new AtomicInteger();

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            calls.incrementAndGet();
            return invocation.proceed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WithPayments.class)
    static class CountingByName {

        @Bean
        Counting counting() {
            return new Counting();
        }

        @Bean
        static BeanNameAutoProxyCreator secondCreator() {
            return byNames("counting");
        }
    }

    @Test
    void interceptorsByTheNamesOfBeansStandAroundAndDoNoHarm() {
        application(CountingByName.class).run(context -> {
            Payments payments = context.getBean(Payments.class);

            assertThat(deliver(payments, "k1")).isInstanceOf(DeliveryDecision.Ran.class);
            assertThat(deliver(payments, "k1")).isInstanceOf(DeliveryDecision.Duplicate.class);

            assertThat(context.getBean(Counting.class).calls).hasValue(2);
            assertThat(context.getBean(EventLog.class).all())
                    .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WithPayments.class)
    static class TransactionByName {

        @Bean
        TransactionInterceptor ownTransaction(TransactionManager manager) {
            return new TransactionInterceptor(manager, new MatchAlwaysTransactionAttributeSource());
        }

        @Bean
        static BeanNameAutoProxyCreator secondCreator() {
            return byNames("ownTransaction");
        }
    }

    @Test
    void aTransactionByTheNamesOfBeansIsRefusedWithTheReason() {
        assertRefused(
                application(TransactionByName.class),
                "Payments.on",
                "BeanNameAutoProxyCreator",
                "TransactionInterceptor",
                "Put @Transactional on the method");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WithPayments.class)
    static class AllAdvisorsTwice {

        @Bean
        static DefaultAdvisorAutoProxyCreator secondCreator() {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(true);
            return creator;
        }
    }

    @Test
    void theOutermostProxyDecidesWhereTwoCreatorsApplyTheSameAdvisors() {
        application(AllAdvisorsTwice.class).run(context -> {
            Payments payments = context.getBean(Payments.class);
            assertThat(ProxyLayers.of(payments).proxies()).hasSize(2);

            assertThat(deliver(payments, "k1")).isInstanceOf(DeliveryDecision.Ran.class);
            assertThat(deliver(payments, "k1")).isInstanceOf(DeliveryDecision.Duplicate.class);

            // Each creator has put its transaction around the method.
            assertThat(context.getBean(EventLog.class).all())
                    .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMMIT, EventLog.COMPLETE);
        });
    }
}
