package io.idem.consumer.internal.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKeys;
import io.idem.Outcome;
import io.idem.StoredResult;
import io.idem.consumer.internal.guard.DecidingFixture;
import io.idem.consumer.internal.guard.PolicyExamples;
import io.idem.consumer.internal.guard.PolicyExamples.Order;
import io.idem.consumer.internal.guard.PolicyExamples.Payment;
import io.idem.consumer.internal.guard.PolicyExamples.Receipt;
import io.idem.engine.IdempotentExecutor;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The policies on docs/policies.md. */
public class PolicyExamplesTest extends DecidingFixture {

    @Test
    void theListenersOfThePageAreAsItSays() throws Exception {
        ListenerDefinition payments = definition(PolicyExamples.class, "charge", Payment.class);

        assertThat(payments.rejects(new IOException())).isTrue();
        assertThat(payments.rejects(new ConnectException())).isFalse();
        assertThat(new ResultExpression("#result.status() == 'DECLINED'").holdsFor(new Receipt("DECLINED")))
                .isTrue();
        assertThat(definition(PolicyExamples.class, "order", String.class).keys())
                .asString()
                .startsWith("key fields");
    }

    @Test
    void thePlainCodeOfThePageWorks() throws Exception {
        try (IdempotentExecutor executor = IdempotentExecutor.on(memory).build()) {
            Order order = new Order("c1", 7);

            assertThat(PolicyExamples.keyOf(order).value())
                    .isEqualTo(IdempotencyKeys.ofFields(Map.of("customer", "c1", "number", 7)));
            assertThat(PolicyExamples.transfer(executor, PolicyExamples.keyOf(order)))
                    .isEqualTo(new Outcome.Executed<>("sent", StoredResult.NONE));
            assertThat(PolicyExamples.transfer(executor, PolicyExamples.keyOf(order)))
                    .isEqualTo(new Outcome.Replayed<>(StoredResult.NONE));
        }
    }
}
