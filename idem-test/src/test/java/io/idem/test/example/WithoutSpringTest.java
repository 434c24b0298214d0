package io.idem.test.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.test.CrashPoint;
import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import java.util.List;
import org.junit.jupiter.api.Test;

class WithoutSpringTest {

    @Test
    void anExecutorCrashesAndGoesOnToo() {
        TestIdempotency idempotency = new TestIdempotency();
        IdempotentExecutor executor = IdempotentExecutor.on(idempotency.store())
                .listeners(List.of(idempotency.runs()))
                .build();
        Operation operation =
                Operation.of(IdempotencyKey.of("t-1"), new Scope("transfers"), ExecutionPolicy.defaults());
        Rehearsal<Outcome<String>> transfer = idempotency.rehearse(
                () -> executor.execute(operation, attempt -> new WorkResult.Complete<>("sent", StoredResult.NONE)));

        try (executor) {
            transfer.crashing(CrashPoint.BEFORE_WORK);
            assertThat(transfer.once()).isInstanceOf(Outcome.InProgress.class);
            idempotency.endLeases();
            assertThat(transfer.once()).isInstanceOf(Outcome.Executed.class);
            idempotency
                    .assertThatKey("t-1")
                    .inScope("transfers")
                    .isCompleted()
                    .ranOnce()
                    .hasAttempts(2);
            assertThatThrownBy(() -> idempotency
                            .assertThatKey("t-2")
                            .inScope("transfers")
                            .isCompleted())
                    .hasMessageContaining("but it is ABSENT")
                    .hasMessageContaining("The scope has records of [IdempotencyKey[tenant=default, value=t-1]]");
        }
    }
}
