package io.idem.workshop.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the checker of fences and attempts reports exactly the existing defects. */
class GrantCheckTest {

    @Test
    void aTakeoverIsNotABeginning() {
        assertThat(GrantCheck.begunAnew(List.of(grant("FRESH", 5), grant("TAKEOVER", 7), grant("REENTRANT", 7))))
                .isEmpty();
    }

    @Test
    void theOrderInTheLogDoesNotMatter() {
        assertThat(GrantCheck.begunAnew(List.of(grant("TAKEOVER", 7), grant("FRESH", 5))))
                .isEmpty();
    }

    @Test
    void aSecondFreshGrantIsABeginning() {
        assertThat(GrantCheck.begunAnew(List.of(grant("FRESH", 5), grant("FRESH", 7))))
                .containsExactly("payments a");
    }

    @Test
    void twoEffectsUnderOneFenceAreNamed() {
        assertThat(GrantCheck.sharedFences(List.of(effect("a", 1, 5), effect("a", 1, 5), effect("b", 1, 5))))
                .containsExactly("a");
        assertThat(GrantCheck.sharedFences(List.of(effect("a", 1, 5), effect("a", 1, 6))))
                .isEmpty();
    }

    @Test
    void effectsOfLaterAttemptsAreNamed() {
        assertThat(GrantCheck.laterAttempts(List.of(effect("a", 1, 5), effect("b", 2, 6))))
                .containsExactly("b");
    }

    @Test
    void aFenceThatIsNotAboveAnEarlierOneIsNamed() {
        assertThat(GrantCheck.repeatedFences(List.of(grant("FRESH", 5), grant("FRESH", 6), grant("RETRY", 9))))
                .isEmpty();
        assertThat(GrantCheck.repeatedFences(List.of(grant("FRESH", 5), grant("RETRY", 5))))
                .containsExactly("payments a");
        assertThat(GrantCheck.repeatedFences(List.of(grant("FRESH", 5), grant("RETRY", 4))))
                .containsExactly("payments a");
    }

    @Test
    void effectsOfFirstAttemptsAreNamedIfTheirKeysAreMeant() {
        assertThat(GrantCheck.firstAttempts(
                        List.of(effect("poison-1", 1, 5), effect("poison-2", 2, 6), effect("b", 1, 7)), "poison-"))
                .containsExactly("poison-1");
    }

    private static Grant grant(String kind, long fence) {
        return new Grant("payments", "a", kind, fence);
    }

    private static Effect effect(String key, int attempt, long fence) {
        return new Effect("rabbit-redis", key, attempt, fence);
    }
}
