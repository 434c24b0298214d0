package io.idem.operations;

import io.idem.ConfigurationException;
import io.idem.Scope;
import io.idem.lincheck.Interleavings;
import io.idem.memory.InMemoryIdempotencyStore;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Beans that register their scopes at once. */
@Tag("extended")
class ScopeRegistryInterleavingTest {

    @Test
    void registrationsHaveAnOrder() {
        Interleavings.check(Operations.class);
    }

    /** Two scopes, two participants. */
    public static class Operations {

        private static final Scope PAYMENTS = new Scope("payments");
        private static final Scope RECEIPTS = new Scope("receipts");

        private final ScopeRegistry registry = new ScopeRegistry(InMemoryIdempotencyStore::new);

        /** Whether the participant got the scope. */
        @Operation
        public boolean register(
                @Param(gen = BooleanGen.class) boolean payments,
                @Param(gen = IntGen.class, conf = "1:2") int participant) {
            try {
                registry.register(payments ? PAYMENTS : RECEIPTS, "participant " + participant);
                return true;
            } catch (ConfigurationException taken) {
                return false;
            }
        }
    }
}
