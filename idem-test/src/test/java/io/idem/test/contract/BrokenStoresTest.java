package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.idem.RecordId;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The contract is worth something only if it fails for stores that are broken. */
class BrokenStoresTest {

    private static List<String> failuresOf(Class<? extends IdempotencyStoreContract> contract) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(contract))
                .execute()
                .testEvents()
                .failed()
                .map(event -> event.getTestDescriptor().getDisplayName())
                .toList();
    }

    @Test
    void aStoreThatIsNotBrokenPasses() {
        assertThat(failuresOf(Correct.class)).isEmpty();
    }

    @Test
    void aStoreThatIgnoresTheOwnerIsCaught() {
        assertThat(failuresOf(IgnoresOwner.class))
                .contains(
                        "aTakenLeaseIsLost()",
                        "anOwnerWhoseLeaseWasTakenCompletesNothing()",
                        "anOwnerWhoseLeaseWasTakenClearsNothing()",
                        "anOwnerWhoseLeaseWasTakenTakesNoAttemptBack()",
                        "anOwnerWhoseLeaseWasTakenRejectsNothing()",
                        "aStaleOwnerIsToldSoWhenItAsksForItsSteps()",
                        "neitherAStrangerNorAnotherFenceCompletes()");
    }

    @Test
    void aStoreThatForgetsTheFingerprintIsCaught() {
        assertThat(failuresOf(ForgetsFingerprint.class))
                .contains(
                        "anotherPayloadUnderTheSameKeyIsAMismatchInEveryState()",
                        "theOwnerItselfIsRefusedWithAnotherPayload()",
                        "theFingerprintIsKept()");
    }

    @Test
    void aStoreThatMarksWorkAsDoneTooEarlyIsCaught() {
        assertThat(failuresOf(DoneTooEarly.class))
                .contains(
                        "workThatIsNotCompletedIsNotAnsweredAsIfItWere()",
                        "anotherOwnerIsToldHowLongTheLeaseGoesOn()",
                        "aLapsedLeaseIsTakenOverWithAGreaterFence()");
    }

    static final class Correct extends Broken {
        Correct() {
            super(store -> new PerRequestStore(store) {});
        }
    }

    static final class IgnoresOwner extends Broken {
        IgnoresOwner() {
            super(BrokenStores.IgnoresOwner::new);
        }
    }

    static final class ForgetsFingerprint extends Broken {
        ForgetsFingerprint() {
            super(BrokenStores.ForgetsFingerprint::new);
        }
    }

    static final class DoneTooEarly extends Broken {
        DoneTooEarly() {
            super(BrokenStores.DoneTooEarly::new);
        }
    }

    private abstract static class Broken extends IdempotencyStoreContract {

        private final UnaryOperator<IdempotencyStore> flaw;

        Broken(UnaryOperator<IdempotencyStore> flaw) {
            this.flaw = flaw;
        }

        @Override
        protected StoreHarness open() {
            InMemoryStoreHarness sound = new InMemoryStoreHarness();
            return new Harness(sound, flaw.apply(sound.store()));
        }
    }

    private record Harness(StoreHarness sound, IdempotencyStore store) implements StoreHarness {

        @Override
        public void advance(Duration by) {
            sound.advance(by);
        }

        @Override
        public String stored(RecordId record) {
            return sound.stored(record);
        }

        @Override
        public void close() {
            sound.close();
        }
    }
}
