package io.idem.workshop.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.chaos.worker.Names;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the checker of steps reports exactly the existing defects. */
class StepCheckTest {

    private static final String STEP = "rabbit-redis a charge";

    private final List<StepEvent> events = new ArrayList<>();

    @Test
    void aStepThatIsCalledOnceAndReturnsTwiceIsFine() {
        called(5);
        returned(5, 1);
        returned(7, 1);

        assertThat(found())
                .isEqualTo(new StepFinding(1, 1, 0, 0, 0, List.of(), List.of(), List.of(), List.of(), List.of()));
    }

    @Test
    void aCallOfAnAttemptThatDiedInsideMayBeRepeated() {
        called(5);
        called(7);
        returned(7, 2);

        StepFinding found = found();

        assertThat(found.endedInside()).isEqualTo(1);
        assertThat(found.calledTooOften()).isEmpty();
        assertThat(found.begunAgain()).isEmpty();
        assertThat(found.otherResults()).isEmpty();
    }

    @Test
    void aSecondKeyAtTheProviderIsNamedAlsoAfterLostData() {
        called(5);
        add("LANDED", Names.PLAIN_STEP, "another", 7, 0);

        assertThat(found().severalKeys()).containsExactly(STEP);
        assertThat(StepCheck.of(events, true).severalKeys()).containsExactly(STEP);
    }

    @Test
    void aStepThatIsBegunBehindItsResultIsNamedUnlessDataWasLost() {
        called(5);
        returned(5, 1);
        called(7);

        assertThat(found().begunAgain()).containsExactly(STEP);
        assertThat(StepCheck.of(events, true).begunAgain()).isEmpty();
    }

    @Test
    void aLateCallOfAPausedOwnerIsNoSecondBeginning() {
        called(7);
        returned(7, 1);
        called(5);

        assertThat(found().late()).isEqualTo(1);
        assertThat(found().begunAgain()).isEmpty();
        assertThat(found().calledTooOften()).isEmpty();
    }

    @Test
    void aSecondCallWithinAnAttemptIsNamed() {
        called(5);
        called(5);
        returned(5, 2);

        assertThat(found().calledTooOften()).containsExactly(STEP);
    }

    @Test
    void aReconciledStepThatLandsBehindItsOwnLandingIsNamed() {
        add("LANDED", Names.RECONCILED_STEP, "key", 5, 0);
        add("ASKED", Names.RECONCILED_STEP, "key", 7, 0);
        add("LANDED", Names.RECONCILED_STEP, "key", 7, 0);

        assertThat(found().landedAgain()).containsExactly("rabbit-redis a parcel");
    }

    @Test
    void aLandingAfterTheQuestionIsOneOfAPausedOwner() {
        add("ASKED", Names.RECONCILED_STEP, "key", 7, 0);
        add("LANDED", Names.RECONCILED_STEP, "key", 5, 0);
        add("LANDED", Names.RECONCILED_STEP, "key", 7, 0);

        assertThat(found().late()).isEqualTo(1);
        assertThat(found().questions()).isEqualTo(1);
        assertThat(found().landedAgain()).isEmpty();
    }

    @Test
    void resultsFromElsewhereAndDifferentResultsAreNamed() {
        called(5);
        returned(5, 9);
        assertThat(found().otherResults()).containsExactly(STEP);

        events.clear();
        called(5);
        called(7);
        returned(7, 2);
        returned(8, 1);
        assertThat(found().otherResults()).containsExactly(STEP);
    }

    private void called(long fence) {
        add("LANDED", Names.PLAIN_STEP, "key", fence, 0);
    }

    private void returned(long fence, long receipt) {
        add("RETURNED", Names.PLAIN_STEP, "-", fence, receipt);
    }

    private void add(String what, String step, String providerKey, long fence, long receipt) {
        events.add(new StepEvent(events.size() + 1, "rabbit-redis", "a", step, what, providerKey, fence, receipt));
    }

    private StepFinding found() {
        return StepCheck.of(events, false);
    }
}
