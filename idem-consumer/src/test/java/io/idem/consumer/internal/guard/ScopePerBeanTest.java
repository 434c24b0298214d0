package io.idem.consumer.internal.guard;

import static io.idem.consumer.internal.guard.Refusals.application;
import static io.idem.consumer.internal.guard.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ConfigurationException;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.operations.ScopeRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Attributes may ask the bean: two beans of one class have a scope each. */
@Tag("extended")
class ScopePerBeanTest {

    static class Payments {

        private final String scope;
        private final List<String> ran = new CopyOnWriteArrayList<>();

        Payments(String scope) {
            this.scope = scope;
        }

        public String getScope() {
            return scope;
        }

        public Duration getLease() {
            return Duration.ofMinutes(scope.length());
        }

        List<String> ran() {
            return ran;
        }

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "${prefix}-#{__listener.scope}", lease = "#{__listener.lease}")
        void on(String body) {
            ran.add(body);
        }

        /** All payments are equal: beans are told apart by who they are. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Payments;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    private static DeliveryDecision deliver(Payments payments, String key) throws Exception {
        return DecidingFixture.deliver(FakeMessage.withKey(key), () -> {
            payments.on(key);
            return null;
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {

        @Bean
        Payments north() {
            return new Payments("north");
        }

        @Bean
        Payments south() {
            return new Payments("southern");
        }
    }

    @Test
    void twoBeansOfOneClassKnowTheirOwnDuplicates() {
        application(Two.class).withPropertyValues("prefix=pay").run(context -> {
            Payments north = context.getBean("north", Payments.class);
            Payments south = context.getBean("south", Payments.class);

            assertThat(deliver(north, "k1")).isInstanceOf(DeliveryDecision.Ran.class);
            assertThat(deliver(south, "k1")).isInstanceOf(DeliveryDecision.Ran.class);
            assertThat(deliver(north, "k1")).isInstanceOf(DeliveryDecision.Duplicate.class);
            assertThat(deliver(south, "k1")).isInstanceOf(DeliveryDecision.Duplicate.class);

            assertThat(context.getBean(ScopeRegistry.class).policies())
                    .extractingFromEntries(entry ->
                            entry.getKey().name() + " " + entry.getValue().lease())
                    .containsExactlyInAnyOrder("pay-north PT5M", "pay-southern PT8M");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoInOneScope {

        @Bean
        Payments first() {
            return new Payments("same");
        }

        @Bean
        @Lazy
        Payments second() {
            return new Payments("same");
        }
    }

    @Test
    void aBeanThatIsMadeLaterCannotTakeTheScopeOfAnother() {
        application(TwoInOneScope.class).withPropertyValues("prefix=pay").run(context -> {
            assertThat(context).hasNotFailed();

            assertThatThrownBy(() -> context.getBean("second"))
                    .hasRootCauseInstanceOf(ConfigurationException.class)
                    .hasStackTraceContaining("pay-same");
        });
    }

    static class Asking {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "#{__listener.nothing}")
        void on(String body) {}
    }

    @Test
    void anExpressionThatTheBeanCannotAnswerIsRefusedWithTheAttribute() {
        assertRefused(application(Asking.class), "Asking.on", "invalid scope", "Correct scope");
    }
}
