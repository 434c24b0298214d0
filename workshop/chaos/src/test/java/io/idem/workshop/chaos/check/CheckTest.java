package io.idem.workshop.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the checker reports exactly the existing defects. */
class CheckTest {

    private static final String LANE = "rabbit-inbox";

    @Test
    void anAcceptedKeyWithOneEffectIsFine() {
        Finding finding = check(List.of(promise("a", true)), List.of(row("a")));

        assertThat(finding)
                .isEqualTo(
                        new Finding(LANE, 1, 1, 1, List.of(), List.of(), List.of(), List.of(), List.of(), List.of()));
    }

    @Test
    void anAcceptedKeyWithoutEffectIsLost() {
        assertThat(check(List.of(promise("a", true)), List.of()).lost()).containsExactly("a");
    }

    @Test
    void aDeadLetterIsNotLost() {
        Finding finding = Check.of(LANE, List.of(promise("a", true)), List.of(), List.of("a", "of another run"));

        assertThat(finding.lost()).isEmpty();
        assertThat(finding.dead()).containsExactly("a");
    }

    @Test
    void aKeyThatNobodyWasPromisedMayHaveAnEffectOrNone() {
        Finding finding = check(List.of(promise("a", false), promise("b", false)), List.of(row("b")));

        assertThat(finding.lost()).isEmpty();
        assertThat(finding.phantoms()).isEmpty();
        assertThat(finding.unanswered()).containsExactly("a", "b");
    }

    @Test
    void twoEffectsOfOneKeyAreADouble() {
        assertThat(check(List.of(promise("a", true)), List.of(row("a"), row("a")))
                        .doubled())
                .containsExactly("a");
    }

    @Test
    void anEffectThatNobodyAskedForIsAPhantom() {
        assertThat(check(List.of(), List.of(row("a"))).phantoms()).containsExactly("a");
    }

    @Test
    void twoDifferentAnswersAreAWrongReplay() {
        Finding finding = check(List.of(new Promise(LANE, "a", true, 2)), List.of(row("a")));

        assertThat(finding.wrongReplays()).containsExactly("a");
    }

    @Test
    void otherLanesAreLeftOut() {
        Finding finding = check(
                List.of(new Promise("kafka-inbox", "a", true, 1)),
                List.of(new LedgerRow("kafka-inbox", "b", 0, 1), new LedgerRow("kafka-inbox", "b", 0, 2)));

        assertThat(finding)
                .isEqualTo(
                        new Finding(LANE, 0, 0, 0, List.of(), List.of(), List.of(), List.of(), List.of(), List.of()));
    }

    private static Finding check(List<Promise> promises, List<LedgerRow> rows) {
        return Check.of(LANE, promises, rows, List.of());
    }

    private static Promise promise(String key, boolean accepted) {
        return new Promise(LANE, key, accepted, accepted ? 1 : 0);
    }

    private static LedgerRow row(String key) {
        return new LedgerRow(LANE, key, 0, 1);
    }
}
