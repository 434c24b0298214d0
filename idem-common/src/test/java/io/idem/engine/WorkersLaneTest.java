package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
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

    @Test
    void aGrantThatWasHandedOverIsNotGivenBackIfTheExecutorThrowsAfterwards() {
        sound.set(true);
        RecordId record = new RecordId(IdempotencyKey.of("k"), new Scope("payments"));
        AcquireRequest request = new AcquireRequest(
                record, OwnerToken.random(new SecureRandom()), SOON, Duration.ofHours(1), Fingerprint.NONE, 0, 0);
        Lane throwing = new WorkersLane(store, task -> {
            task.run();
            throw new IllegalStateException("of a decorator of the executor");
        });

        assertThat(throwing.acquire(List.of(request)).get(0))
                .succeedsWithin(SOON)
                .isInstanceOf(Claim.Granted.class);
        assertThat(store.inspect(record).orElseThrow().state()).isEqualTo(RecordState.PENDING);
    }
}
