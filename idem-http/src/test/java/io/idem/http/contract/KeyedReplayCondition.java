package io.idem.http.contract;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.StoreAnswer;
import io.idem.http.ReplayCondition;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;

/** A replay condition by the first word of a key: {@code again} opens its record, {@code silent} finds no answer of the store. */
public record KeyedReplayCondition(IdempotencyStore store) implements ReplayCondition {

    @Override
    public boolean opened(RecordId record) {
        String key = record.key().value();
        if (key.startsWith("silent")) {
            throw FaultyStore.silence();
        }
        RecordSnapshot found = store.inspect(record).orElseThrow();
        return key.startsWith("again")
                && store.reopen(record, found.fence(), Duration.ofHours(1)) instanceof StoreAnswer.Ok;
    }
}
