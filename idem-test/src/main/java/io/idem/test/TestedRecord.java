package io.idem.test;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import java.util.List;
import java.util.Optional;

/**
 * The state of a record at the end of a test.
 *
 * @param id the record
 * @param snapshot the content of the record; empty if there is none
 * @param runs the number of times that its work was started
 * @param keys the keys that have a record in its scope
 */
record TestedRecord(RecordId id, Optional<RecordSnapshot> snapshot, int runs, List<IdempotencyKey> keys) {

    RecordState state() {
        return snapshot.map(RecordSnapshot::state).orElse(RecordState.ABSENT);
    }

    int attempts() {
        return snapshot.map(RecordSnapshot::attempts).orElse(0);
    }

    @Override
    public String toString() {
        return "key \"" + id.key().value() + "\" of tenant \"" + id.key().tenant() + "\" in scope \"" + id.scope()
                + "\"";
    }
}
