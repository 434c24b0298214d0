package io.idem.test.contract;

import static io.idem.RecordState.COMPLETED;
import static io.idem.RecordState.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import java.time.Duration;

/** The rules of reading records. */
abstract class InspectSection extends StoreSection {

    final Rule aRecordIsReadAsItIs = () -> {
        Grant grant = hundred();
        RecordSnapshot pending = snapshot();
        assertRead(pending, PENDING, grant, StoredResult.NONE);
        grant.then(Call.COMPLETE);
        RecordSnapshot completed = snapshot();
        assertRead(completed, COMPLETED, grant, RECEIPT);
        assertAbout(Duration.between(completed.at(), pending.at()), LEASE);
    };

    private void assertRead(RecordSnapshot read, RecordState state, Grant grant, StoredResult result) {
        assertThat(read)
                .isEqualTo(new RecordSnapshot(record.scope(), state, 1, grant.fence(), HUNDRED, read.at(), result, ""));
    }

    final Rule readingChangesNothing = () -> {
        granted();

        leavingUntouched(this::snapshot);
        leavingUntouched(() -> store().inspectAll(record.key()));
    };

    final Rule aRecordThatIsNotThereIsEmpty = () -> {
        assertThat(store().inspect(record)).isEmpty();
        assertThat(store().inspectAll(record.key())).isEmpty();
    };

    final Rule aKeysStoryIsReadAcrossTheAnnouncedScopesInTheOrderOfTheirNames = () -> {
        IdempotencyKey key = record.key();
        for (String scope : new String[] {"risk", "http.intake", "never-announced", "receipts"}) {
            granted(Request.of(new RecordId(key, new Scope(scope))));
        }
        granted(Request.of(new RecordId(IdempotencyKey.of(key.value() + "x"), new Scope("risk"))));

        for (String scope : new String[] {"risk", "http.intake", "receipts", "risk", "idle"}) {
            store().announce(new Scope(scope));
        }

        assertThat(store().inspectAll(key))
                .extracting(snapshot -> snapshot.scope().name())
                .containsExactly("http.intake", "receipts", "risk");
    };
}
