package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.internal.LogFields;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class LogFieldsTest extends ExecutorFixture {

    private final IdempotentExecutor logged = IdempotentExecutor.on(store)
            .transports(() -> transports)
            .clock(scripted.clock())
            .logFields(true)
            .build();

    @AfterEach
    void forget() {
        logged.close();
        MDC.clear();
    }

    @Test
    void linesOfTheWorkSayWhoseTheyAreAndOthersDoNot() throws Exception {
        logged.execute(operation, context -> {
            assertThat(MDC.get(LogFields.KEY))
                    .isEqualTo(operation.record().key().id());
            assertThat(MDC.get(LogFields.SCOPE)).isEqualTo("payments");
            assertThat(MDC.get(LogFields.FENCE)).isEqualTo(Long.toString(context.fence()));
            assertThat(MDC.get(LogFields.ATTEMPT)).isEqualTo("1");
            return done();
        });

        assertThat(MDC.get(LogFields.KEY)).isNull();
        assertThat(MDC.get(LogFields.FENCE)).isNull();
    }

    @Test
    void theFenceOfAClaimedRowIsNotReadForThem() throws Exception {
        List<String> order = new ArrayList<>();

        logged.execute(operation.withInbox(new MapInbox(order)), context -> done());

        assertThat(order).contains("commit").doesNotContain("fence");
    }

    @Test
    void theFieldsOfWorkAroundItComeBack() throws Exception {
        Operation inner = Operation.of(IdempotencyKey.of("inner"), new Scope("receipts"), POLICY);

        logged.execute(operation, context -> {
            logged.execute(inner, within -> {
                assertThat(MDC.get(LogFields.SCOPE)).isEqualTo("receipts");
                return done();
            });
            assertThat(MDC.get(LogFields.SCOPE)).isEqualTo("payments");
            return done();
        });
    }

    @Test
    void theyAreThereWhereObservationsAreDisabledAndGoWithTheirSwitch() throws Exception {
        try (IdempotentExecutor unobserved = IdempotentExecutor.on(store)
                        .observations(disabled())
                        .logFields(true)
                        .build();
                IdempotentExecutor without = IdempotentExecutor.on(store).build()) {
            unobserved.execute(operation, context -> {
                assertThat(MDC.get(LogFields.SCOPE)).isEqualTo("payments");
                return done();
            });
            without.execute(Operation.of(IdempotencyKey.of("other"), new Scope("receipts"), POLICY), context -> {
                assertThat(MDC.get(LogFields.SCOPE)).isNull();
                return done();
            });
        }
    }
}
