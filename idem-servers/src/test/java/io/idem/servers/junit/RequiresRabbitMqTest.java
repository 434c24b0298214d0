package io.idem.servers.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.idem.servers.AmqpServers;
import io.idem.servers.RunningAmqp.Flavour;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class RequiresRabbitMqTest {

    @Test
    void aTestRunsWhereThereIsABroker() {
        assertThat(run(WithBroker.class).testEvents().succeeded().count()).isEqualTo(1);
    }

    @Test
    void aTestIsSkippedWhereThereIsNone() {
        EngineExecutionResults results = run(WithoutBroker.class);

        assertThat(results.allEvents().skipped().count()).isEqualTo(1);
        assertThat(results.testEvents().started().count()).isZero();
    }

    @Test
    void aTestFailsWhereThereIsNoneAndTheEnvironmentInsists() {
        assertThat(run(Insisting.class).allEvents().failed().count()).isEqualTo(1);
    }

    @Test
    @RequiresRabbitMq
    void whatRunsHereHasARealRabbitMq() {
        assertThat(AmqpServers.realRabbitMq().orElseThrow().flavour()).isEqualTo(Flavour.RABBITMQ);
    }

    private static EngineExecutionResults run(Class<?> testClass) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(testClass))
                .execute();
    }

    static class WithBroker {

        @RegisterExtension
        static final RabbitMqCondition CONDITION = new RabbitMqCondition(() -> true, () -> true);

        @Test
        void test() {}
    }

    static class WithoutBroker {

        @RegisterExtension
        static final RabbitMqCondition CONDITION = new RabbitMqCondition(() -> false, () -> false);

        @Test
        void test() {}
    }

    static class Insisting {

        @RegisterExtension
        static final RabbitMqCondition CONDITION = new RabbitMqCondition(() -> false, () -> true);

        @Test
        void test() {}
    }
}
