package io.idem.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OperationStatusReaderTest {

    private static final Scope INTAKE = new Scope("http.shop");
    private static final Scope CONSUMER = new Scope("payments");

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();
    private final IdempotentExecutor executor = IdempotentExecutor.on(store).build();
    private final OperationStatusReader reader = new OperationStatusReader(store);
    private final IdempotencyKey key = new IdempotencyKey("acme", "k1");

    @BeforeEach
    void announce() {
        store.announce(INTAKE);
        store.announce(CONSUMER);
    }

    @AfterEach
    void close() {
        executor.close();
    }

    @Test
    void everyParticipantsStateIsShown() throws Exception {
        executor.execute(
                Operation.of(key, INTAKE, ExecutionPolicy.defaults()),
                context -> new WorkResult.Complete<>("", StoredResult.NONE));
        executor.execute(
                Operation.of(key, CONSUMER, ExecutionPolicy.defaults()),
                context -> new WorkResult.Release<>("", Duration.ofMinutes(1)));

        OperationStatus status = reader.read(key).orElseThrow();

        assertThat(status.key()).isEqualTo("k1");
        assertThat(status.scopes())
                .extracting(
                        OperationStatus.Participant::scope,
                        OperationStatus.Participant::state,
                        OperationStatus.Participant::attempts)
                .containsExactly(
                        tuple("http.shop", RecordState.COMPLETED, 1), tuple("payments", RecordState.FAILED, 1));
    }

    @Test
    void anotherTenantsOperationIsUnknown() throws Exception {
        executor.execute(
                Operation.of(key, INTAKE, ExecutionPolicy.defaults()),
                context -> new WorkResult.Complete<>("", StoredResult.NONE));

        assertThat(reader.read(new IdempotencyKey("other", "k1"))).isEmpty();
    }
}
