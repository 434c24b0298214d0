package io.idem;

import io.idem.lincheck.Interleavings;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work that publishes on several threads. */
@Tag("extended")
class PublicationsInterleavingTest {

    @Test
    void publicationsHaveAnOrder() {
        Interleavings.check(Operations.class);
    }

    /** The publications of one attempt at an intake. */
    public static class Operations {

        private final Publications publications = new Publications(
                io.idem.Operation.of(IdempotencyKey.of("k-1"), new Scope("http.intake"), ExecutionPolicy.defaults())
                        .atIntake(),
                IdempotencyKey.of("k-1"));

        /** The key of the next message. */
        @Operation
        public String nextKey(@Param(gen = BooleanGen.class) boolean payments) {
            return publications.nextKey(payments ? "payments" : "receipts").value();
        }

        /** A message that was sent. */
        @Operation
        public void track() {
            publications.track(CompletableFuture.completedFuture("ok"), () -> CompletableFuture.completedFuture("ok"));
        }

        /** How many messages nobody has waited for yet. */
        @Operation
        public int drain() {
            return publications.drain().size();
        }

        /** A message for after the commit. */
        @Operation
        public void keep() {
            publications.keep(new OutgoingMessage("rabbit", "payments", new byte[0]));
        }

        /** How many there are for after the commit. */
        @Operation
        public int kept() {
            return publications.kept().size();
        }
    }
}
