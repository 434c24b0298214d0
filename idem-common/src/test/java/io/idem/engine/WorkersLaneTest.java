package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a store throws although it should not ends the request that it met, and nothing else. */
class WorkersLaneTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final AtomicBoolean sound = new AtomicBoolean();
    private final IdempotencyStore store = new PerRequestStore(new InMemoryIdempotencyStore()) {
        @Override
        public StoreAnswer fail(Lease lease, Duration delay) {
            if (sound.getAndSet(true)) {
                return super.fail(lease, delay);
            }
            throw new NoClassDefFoundError("a class of the store's client");
        }
    };
    private final Lane lane = new WorkersLane(store, Runnable::run);

    private CompletionStage<StoreAnswer> release(String key) {
        Lease lease = Leases.take(store, new RecordId(IdempotencyKey.of(key), new Scope("payments")));
        return lane.update(new RecordUpdate.Fail(lease, Duration.ZERO));
    }

    @Test
    void anErrorOfTheStoreEndsTheSettlementThatItMetAndKeepsNoLaterOneWaiting() {
        assertThat(release("first"))
                .failsWithin(SOON)
                .withThrowableThat()
                .withCauseInstanceOf(NoClassDefFoundError.class);

        assertThat(release("second")).succeedsWithin(SOON).isInstanceOf(StoreAnswer.Ok.class);
    }
}
