package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Outcome;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.engine.IdempotentExecutor;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Work whose transaction is its last phase and whose leases another store grants. */
abstract class BesideStoreLastPhaseContract extends LastPhaseContract {

    @Override
    final boolean alone() {
        return false;
    }

    @Test
    void workRunsNoStepWhileTheStoreIsAway() throws Exception {
        try (IdempotentExecutor failingOpen = IdempotentExecutor.on(new SilentStore())
                .inbox(inbox.failingOpen())
                .build()) {
            assertThat(failingOpen.execute(operation(), paying())).isInstanceOf(Outcome.InProgress.class);
            assertThat(calls).isEmpty();

            var unused = failingOpen.execute(operation(), attempt -> attempt.inTransaction(() -> booked("local")));
            assertThat(database.ledger()).containsExactly("local");
        }
    }

    /** A store that does not answer. */
    private static final class SilentStore extends StoreDecorator {

        SilentStore() {
            super(new InMemoryIdempotencyStore());
        }

        @Override
        public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
            return Stages.failed(requests, silent());
        }

        @Override
        public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
            return Stages.failed(updates, silent());
        }

        private static StoreUnavailableException silent() {
            return new StoreUnavailableException("away", Execution.NOT_EXECUTED, new IllegalStateException());
        }
    }
}
