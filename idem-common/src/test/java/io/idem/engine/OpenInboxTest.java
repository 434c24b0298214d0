package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Another owner's transaction for the record is open in the inbox's database. */
class OpenInboxTest extends ExecutorFixture {

    private final MapInbox open = new MapInbox().withOpenTransaction();

    @Test
    void theWorkIsDeferredAndTheKeyIsNotGivenBack() throws Exception {
        assertThat(executor.execute(operation.withInbox(open), context -> done()))
                .isEqualTo(new Outcome.InProgress<>(LEASE));

        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        assertThat(scripted.calls()).containsExactly("acquire");
    }

    @Test
    void anOperatorWhoCallsTheWorkDoneIsToldWhyThatIsRefused() {
        someoneElsesLease();
        RecordOperator operator = new RecordOperator(
                store, scope -> POLICY.retention(), act -> {}, () -> Optional.of(open), result -> {});

        OperatorAct act = operator.act(OperatorAct.Action.COMPLETE, operation.record(), "anna", "the ledger has it");

        assertThat(act.done()).isFalse();
        assertThat(act.failure()).hasValueSatisfying(why -> assertThat(why).contains("transaction open"));
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void workWhoseAttemptsAreUsedUpIsDeferredUntilTheLastOneHasEnded() throws Exception {
        ExecutionPolicy policy =
                new ExecutionPolicy(LEASE, POLICY.renewEvery(), POLICY.margin(), POLICY.retention(), 1);
        Operation once = Operation.of(
                        IdempotencyKey.of("k-1"), operation.record().scope(), policy)
                .withInbox(open);
        someoneElsesLease();
        scripted.advance(LEASE);

        assertThat(executor.execute(once, context -> done())).isInstanceOf(Outcome.InProgress.class);
    }
}
