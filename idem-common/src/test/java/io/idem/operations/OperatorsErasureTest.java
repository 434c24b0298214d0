package io.idem.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.engine.Leases;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.OperatorAct.Action;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperatorsErasureTest {

    private final IdempotencyStore store = new InMemoryIdempotencyStore();
    private final List<StoredResult> removed = new ArrayList<>();
    private final RecordOperator operator =
            new RecordOperator(store, scope -> Duration.ofHours(1), act -> {}, Optional::empty, removed::add);
    private final IdempotencyKey key = IdempotencyKey.of("k");

    private List<OperatorAct> erase(IdempotencyKey of) {
        return operator.act(Action.ERASE, of, "anna", "the customer asked for it");
    }

    private Lease lease(String scope) {
        store.announce(new Scope(scope));
        return Leases.take(store, new RecordId(key, new Scope(scope)));
    }

    @Test
    void theResultsOfAllScopesAreErasedAndWhatIsNotSettledIsNamed() {
        store.complete(lease("http.shop"), StoredResult.of("json", new byte[] {1}));
        store.reject(lease("payments"), "account 4711 is closed");
        lease("receipts");

        assertThat(erase(key))
                .extracting(act -> act.record().scope().name(), OperatorAct::found, OperatorAct::done)
                .containsExactly(
                        tuple("http.shop", RecordState.COMPLETED, true),
                        tuple("payments", RecordState.REJECTED, true),
                        tuple("receipts", RecordState.PENDING, false));
        assertThat(store.inspectAll(key))
                .allSatisfy(record -> assertThat(record.reason()).isEmpty())
                .extracting(record -> record.result())
                .containsExactly(StoredResult.OMITTED, StoredResult.NONE, StoredResult.NONE);
    }

    @Test
    void whatLiesElsewhereIsRemovedWhileItsRecordStillNamesIt() {
        StoredResult large = StoredResult.of("offloaded", new byte[] {1});
        store.complete(lease("payments"), large);

        erase(key);

        assertThat(removed).containsExactly(large);
    }

    @Test
    void aKeyWithoutRecordsHasNothingToErase() {
        assertThat(erase(IdempotencyKey.of("another"))).isEmpty();
    }
}
