package io.idem.consumer.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.config.RetryInterceptorBuilder;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.resilience.retry.MethodRetrySpec;
import org.springframework.resilience.retry.SimpleRetryInterceptor;

/**
 * spring-amqp 4.1.1: an advice that stands behind the stateless retry advice in a container's chain sees the first attempt
 * only. These tests assert what happens today; the first turns red when spring-amqp runs the whole chain again on a retry, as
 * spring-framework's own retry interceptor does.
 */
class StatelessRetryAdviceTest {

    private final AtomicInteger advised = new AtomicInteger();
    private final AtomicInteger called = new AtomicInteger();

    private void callThrough(MethodInterceptor retry) {
        ProxyFactory listener = new ProxyFactory((Runnable) () -> {
            if (called.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
        });
        listener.addAdvice(retry);
        listener.addAdvice((MethodInterceptor) invocation -> {
            advised.incrementAndGet();
            return invocation.proceed();
        });
        ((Runnable) listener.getProxy()).run();
    }

    @Test
    void springAmqpsStatelessRetrySkipsTheAdvicesBehindItOnRetries() {
        callThrough(RetryInterceptorBuilder.stateless()
                .maxRetries(2)
                .backOffOptions(1, 1, 1)
                .build());

        assertThat(called).hasValue(3);
        assertThat(advised).as("expected: 3").hasValue(1);
    }

    @Test
    void springFrameworksRetryRunsThemEachTime() {
        callThrough(
                new SimpleRetryInterceptor(new MethodRetrySpec((method, failure) -> true, 2, Duration.ofMillis(1))));

        assertThat(called).hasValue(3);
        assertThat(advised).hasValue(3);
    }
}
