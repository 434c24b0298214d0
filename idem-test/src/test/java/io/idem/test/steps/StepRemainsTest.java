package io.idem.test.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The steps that remain after an attempt that uses none has completed the work. */
@Tag("servers")
class StepRemainsTest {

    @ParameterizedTest
    @EnumSource(StepServer.Kind.class)
    void noStepsAreLeftWhenTheAttemptThatCompletesUsesNone(StepServer.Kind kind) throws Exception {
        try (StepServer server = kind.start();
                IdempotentExecutor executor = server.place().executor()) {
            ExecutionPolicy policy = server.place().policy(ExecutionPolicy.defaults());
            Operation operation = Operation.of(IdempotencyKey.of("k"), StepWorkerMain.SCOPE, policy);
            assertThatThrownBy(() -> executor.execute(operation, attempt -> {
                        attempt.step("charge", String.class, step -> "receipt");
                        throw new IllegalStateException("later");
                    }))
                    .hasMessage("later");

            Outcome<String> outcome =
                    executor.execute(operation, attempt -> new WorkResult.Complete<>("", StoredResult.NONE));

            assertThat(outcome).isInstanceOf(Outcome.Executed.class);
            await().until(() -> server.hasNoSteps(operation.record()));
        }
    }
}
