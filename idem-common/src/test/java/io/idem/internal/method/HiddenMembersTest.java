package io.idem.internal.method;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idem.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;

/** Members that a library lacks are named. */
class HiddenMembersTest {

    static class Overriding extends Overridden implements TransactionSynchronization {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void beforeCommit(boolean readOnly) {}

        @Override
        protected void inherited() {}

        static void ofItsOwn() {}

        void another() {}
    }

    static class Overridden {

        void inherited() {}
    }

    static final class Renamed extends Overriding {

        public void beforeTheCommit(boolean readOnly) {}
    }

    static final class OfAnotherType extends Overriding {

        public void beforeCommit(int readOnly) {}
    }

    @Test
    void methodsThatOverrideOnesOfALibraryAreAccepted() {
        assertThatCode(() -> HiddenMembers.checkOverrides(Overriding.class)).doesNotThrowAnyException();
    }

    @Test
    void methodsThatOverrideNothingAreNamed() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> HiddenMembers.checkOverrides(Renamed.class))
                .withMessageContaining(
                        "no method to override: public void " + Renamed.class.getName() + ".beforeTheCommit");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> HiddenMembers.checkOverrides(OfAnotherType.class));
    }

    @Test
    void methodsOfAnInterfaceThatIsImplementedByNamesAreLookedUp() {
        assertThatCode(() -> HiddenMembers.checkMethods(TransactionSynchronization.class, "flush", "resume"))
                .doesNotThrowAnyException();
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> HiddenMembers.checkMethods(TransactionSynchronization.class, "flush", "goOn"))
                .withMessageContaining("TransactionSynchronization has no method goOn");
    }
}
