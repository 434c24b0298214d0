package io.idem.test.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.step.Step;
import io.idem.step.StepFinding;
import io.idem.test.CrashPoint;
import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Crashes between the steps of work that a test rehearses. */
class StepCrashesTest {

    private static final Step<String> CHARGE = Step.of("charge", String.class);

    private final TestIdempotency idempotency = new TestIdempotency();
    private final IdempotentExecutor executor = IdempotentExecutor.on(idempotency.store())
            .listeners(List.of(idempotency.runs()))
            .build();
    private final Operation operation =
            Operation.of(IdempotencyKey.of("t-1"), new Scope("transfers"), ExecutionPolicy.defaults());
    private final List<String> done = new ArrayList<>();

    @AfterEach
    void close() {
        executor.close();
    }

    @Test
    void aCrashBehindAStepRepeatsOnlyWhatComesAfterIt() {
        Rehearsal<Outcome<String>> transfer = rehearsed(this::chargeAndOrder);

        transfer.crashing(CrashPoint.AFTER_REMEMBER);

        assertThat(done).containsExactly("charge");
        assertThat(transfer.once()).isInstanceOf(Outcome.InProgress.class);
        idempotency.endLeases();
        assertThat(transfer.once()).isInstanceOf(Outcome.Executed.class);
        assertThat(done).containsExactly("charge", "order");
        idempotency.assertThatKey("t-1").inScope("transfers").isCompleted().hasAttempts(2);
    }

    @Test
    void aCrashBeforeAStepIsRememberedRepeatsTheStep() {
        Rehearsal<Outcome<String>> transfer = rehearsed(this::chargeAndOrder);

        transfer.crashing(CrashPoint.BEFORE_REMEMBER);

        idempotency.endLeases();
        transfer.once();
        assertThat(done).containsExactly("charge", "charge", "order");
    }

    @Test
    void theNextCrashHitsTheFirstStepThatIsNotRemembered() {
        Rehearsal<Outcome<String>> transfer = rehearsed(this::chargeAndOrder);
        transfer.crashing(CrashPoint.AFTER_REMEMBER);
        idempotency.endLeases();

        transfer.crashing(CrashPoint.BEFORE_REMEMBER);

        idempotency.endLeases();
        transfer.once();
        assertThat(done).containsExactly("charge", "order", "order");
    }

    @Test
    void whatCannotBeRepeatedIsLeftToAPersonAfterACrash() {
        Rehearsal<Outcome<String>> transfer =
                rehearsed(attempt -> attempt.step(CHARGE.rejectedWhenUnknown(), step -> did("charge")));

        transfer.crashing(CrashPoint.BEFORE_REMEMBER);

        idempotency.endLeases();
        transfer.once();
        assertThat(done).containsExactly("charge");
        idempotency.assertThatKey("t-1").inScope("transfers").isRejected();
    }

    @Test
    void whatCanBeLookedUpIsLookedUpAfterACrash() {
        Rehearsal<Outcome<String>> transfer = rehearsed(attempt -> attempt.step(
                CHARGE.reconciledBy(step -> done.isEmpty() ? StepFinding.notDone() : StepFinding.done("found")),
                step -> did("charge")));

        transfer.crashing(CrashPoint.BEFORE_REMEMBER);

        idempotency.endLeases();
        assertThat(transfer.once()).isInstanceOf(Outcome.Executed.class);
        assertThat(done).containsExactly("charge");
    }

    @Test
    void asynchronousStepsCrashToo() {
        Rehearsal<Outcome<String>> transfer = idempotency.rehearseAnywhere(() -> executor.async(Runnable::run)
                .<String>execute(
                        operation,
                        attempt -> attempt.stepAsync(CHARGE, step -> CompletableFuture.supplyAsync(() -> did("charge")))
                                .thenApply(charged -> new WorkResult.Complete<>(charged, StoredResult.NONE)))
                .toCompletableFuture()
                .join());

        transfer.crashing(CrashPoint.AFTER_REMEMBER);

        idempotency.endLeases();
        assertThat(transfer.once()).isInstanceOf(Outcome.Executed.class);
        assertThat(done).containsExactly("charge");
    }

    @Test
    void workWithoutStepsDoesNotComeToTheirPoints() {
        Rehearsal<Outcome<String>> transfer = rehearsed(attempt -> "sent");

        assertThatThrownBy(() -> transfer.crashing(CrashPoint.BEFORE_REMEMBER))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("BEFORE_REMEMBER");
    }

    private Rehearsal<Outcome<String>> rehearsed(Work work) {
        return idempotency.rehearse(() -> executor.execute(
                operation, attempt -> new WorkResult.Complete<>(work.run(attempt), StoredResult.NONE)));
    }

    private String chargeAndOrder(IdempotencyContext attempt) {
        String charged = attempt.step(CHARGE, step -> did("charge"));
        String ordered = attempt.step("order", String.class, step -> did("order"));
        return charged + " and " + ordered;
    }

    private String did(String what) {
        done.add(what);
        return what;
    }

    /** The work of an attempt in a test. */
    private interface Work {

        String run(IdempotencyContext attempt);
    }
}
