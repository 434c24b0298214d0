package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.internal.delivery.ListenerStops;
import java.time.Duration;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

/** What tests of stopped listeners have in common. */
final class StoppedListeners {

    /** Id of the listener under test. */
    static final String ID = "payments";

    /** A value that {@link Swallowing} keeps from its listener. */
    static final String SWALLOWED = "swallowed";

    private StoppedListeners() {}

    static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(3));
    }

    static MessageListenerContainer container(KafkaTestApplication application) {
        return Objects.requireNonNull(
                application.bean(KafkaListenerEndpointRegistry.class).getListenerContainer(ID));
    }

    static void assertStoppedBecause(KafkaTestApplication application, String... words) {
        await().until(() -> !container(application).isRunning()
                && !((AbstractMessageListenerContainer<?, ?>) container(application)).isChildRunning());
        assertUnhealthyBecause(application, words);
    }

    static void assertUnhealthyBecause(KafkaTestApplication application, String... words) {
        assertThat(application.bean(ListenerStops.class).reasons())
                .singleElement()
                .asString()
                .contains(words);
        assertThat(application
                        .context()
                        .getBean("idemListenersHealthIndicator", HealthIndicator.class)
                        .health())
                .extracting(Health::getStatus)
                .isEqualTo(Status.DOWN);
        ApplicationAvailability availability = application.bean(ApplicationAvailability.class);
        assertThat(availability.getReadinessState()).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
        assertThat(availability.getLivenessState()).isEqualTo(LivenessState.CORRECT);
    }

    /** An aspect of the application, outside of idem, that does not call the listener for some records. */
    static class Swallowing {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor swallowing() {
            NameMatchMethodPointcut listeners = new NameMatchMethodPointcut();
            listeners.setMappedName("pay");
            DefaultPointcutAdvisor advisor =
                    new DefaultPointcutAdvisor(listeners, (MethodInterceptor) Swallowing::callUnlessSwallowed);
            advisor.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return advisor;
        }

        private static @Nullable Object callUnlessSwallowed(MethodInvocation call) throws Throwable {
            String argument = call.getArguments()[0] instanceof ConsumerRecord<?, ?> record
                    ? String.valueOf(record.value())
                    : String.valueOf(call.getArguments()[0]);
            return argument.contains(SWALLOWED) ? null : call.proceed();
        }
    }

    /** Gives up at the first failure, and notes for what. */
    static class GivingUp {

        @Bean
        static DefaultErrorHandler errorHandler(KafkaTestApplication.Journal journal) {
            return new DefaultErrorHandler(
                    (record, failure) -> journal.write("recovered " + record.value()), new FixedBackOff(0, 0));
        }
    }
}
