package io.idem.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.engine.Leases;
import io.idem.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScopeRegistryTest {

    private static final Scope PAYMENTS = new Scope("payments");

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();
    private final ScopeRegistry registry = new ScopeRegistry(() -> store);

    @Test
    void aScopeOfTwoParticipantsIsRefusedAndBothAreNamed() {
        registry.register(PAYMENTS, "PaymentListener.charge");

        assertThatThrownBy(() -> registry.register(PAYMENTS, "RefundListener.refund"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("payments", "PaymentListener.charge", "RefundListener.refund");
    }

    @Test
    void oneParticipantMayRegisterTwice() {
        registry.register(PAYMENTS, "PaymentListener.charge");
        registry.register(PAYMENTS, "PaymentListener.charge");

        assertThat(registry.scopes()).containsExactly(PAYMENTS);
    }

    @Test
    void theShortestRetentionOfAScopeIsItsEffectiveOne() {
        ExecutionPolicy day = ExecutionPolicy.defaults();
        ExecutionPolicy hour = ExecutionPolicy.of(Duration.ofSeconds(30), Duration.ofHours(1));
        registry.register(PAYMENTS, "PaymentListener.charge", day);
        registry.register(PAYMENTS, "PaymentListener.charge", hour);
        registry.register(PAYMENTS, "PaymentListener.charge", day);

        assertThat(registry.policies()).containsOnly(Map.entry(PAYMENTS, hour));
    }

    @Test
    void recordsOfAScopeAreFoundByKeyOnceItIsAnnounced() {
        IdempotencyKey key = IdempotencyKey.of("k-1");
        Leases.take(store, new RecordId(key, PAYMENTS));
        registry.register(PAYMENTS, "PaymentListener.charge");
        assertThat(store.inspectAll(key)).isEmpty();

        registry.announceAll();

        assertThat(store.inspectAll(key))
                .singleElement()
                .satisfies(record -> assertThat(record.scope()).isEqualTo(PAYMENTS));
    }
}
