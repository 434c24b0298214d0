package io.idem.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.engine.Leases;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ResultEraser.Erasure;
import io.idem.spi.IdempotencyStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultEraserTest {

    private final IdempotencyStore store = new InMemoryIdempotencyStore();
    private final ResultEraser eraser = new ResultEraser(store);
    private final IdempotencyKey key = IdempotencyKey.of("k");

    private Lease lease(String scope) {
        store.announce(new Scope(scope));
        return Leases.take(store, new RecordId(key, new Scope(scope)));
    }

    @Test
    void theResultsOfAllScopesAreErasedAndWhatIsNotSettledIsNamed() {
        store.complete(lease("http.shop"), StoredResult.of("json", new byte[] {1}));
        store.reject(lease("payments"), "account 4711 is closed");
        lease("receipts");

        assertThat(eraser.erase(key))
                .containsExactly(
                        new Erasure(new Scope("http.shop"), RecordState.COMPLETED, true),
                        new Erasure(new Scope("payments"), RecordState.REJECTED, true),
                        new Erasure(new Scope("receipts"), RecordState.PENDING, false));
        assertThat(store.inspectAll(key))
                .allSatisfy(record -> assertThat(record.reason()).isEmpty())
                .extracting(record -> record.result())
                .containsExactly(StoredResult.OMITTED, StoredResult.NONE, StoredResult.NONE);
    }

    @Test
    void whatLiesElsewhereIsRemovedWhileItsRecordStillNamesIt() {
        StoredResult large = StoredResult.of("offloaded", new byte[] {1});
        store.complete(lease("payments"), large);
        List<StoredResult> removed = new ArrayList<>();

        new ResultEraser(store, removed::add).erase(key);

        assertThat(removed).containsExactly(large);
    }

    @Test
    void aKeyWithoutRecordsHasNothingToErase() {
        assertThat(eraser.erase(IdempotencyKey.of("another"))).isEmpty();
    }
}
