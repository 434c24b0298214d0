package io.idem.lincheck;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The other tests with Lincheck are worth something only if it finds a race that was put there. */
@Tag("extended")
class PlantedRaceTest {

    @Test
    void aScopeThatTwoMayRegisterIsFound() {
        assertThatThrownBy(() -> Interleavings.check(CheckThenAct.class)).isInstanceOf(LincheckAssertionError.class);
    }

    @Test
    void aCounterThatLosesIncrementsIsFound() {
        assertThatThrownBy(() -> Interleavings.check(LostUpdate.class)).isInstanceOf(LincheckAssertionError.class);
    }

    /** A registry as ours, without its lock. */
    public static class CheckThenAct {

        private int holder;

        /** Whether the participant got the scope. */
        @Operation
        public boolean register(@Param(gen = IntGen.class, conf = "1:2") int participant) {
            if (holder == 0) {
                holder = participant;
                return true;
            }
            return holder == participant;
        }
    }

    /** Ordinals as ours, without their lock. */
    public static class LostUpdate {

        private int ordinal;

        /** The next one. */
        @Operation
        public int next() {
            return ++ordinal;
        }
    }
}
