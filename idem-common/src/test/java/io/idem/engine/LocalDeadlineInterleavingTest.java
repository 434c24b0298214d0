package io.idem.engine;

import io.idem.ExecutionPolicy;
import io.idem.lincheck.Interleavings;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The answers of a renewal and the questions of the work, at once. */
@Tag("extended")
class LocalDeadlineInterleavingTest {

    @Test
    void questionsAndAnswersHaveAnOrder() {
        Interleavings.check(Operations.class);
    }

    /** One deadline that has passed already unless it is extended; the clock stands still. */
    public static class Operations {

        private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofSeconds(10), Duration.ofHours(1));

        private final LocalDeadline deadline =
                new LocalDeadline(() -> Duration.ofSeconds(10).toNanos(), POLICY, 0);

        /** Whether the lease may not be trusted any more. */
        @Operation
        public boolean passed() {
            return deadline.passed();
        }

        /** The answer to a renewal that was sent a while after the acquire. */
        @Operation
        public void extend(@Param(gen = IntGen.class, conf = "0:3") int second) {
            deadline.extendFrom(Duration.ofSeconds(second).toNanos());
        }

        /** The answer that somebody else has the lease. */
        @Operation
        public void lose() {
            deadline.lose();
        }
    }
}
