package io.idem.applications.covering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every possible pair of choices occurs in an application. */
@Tag("servers")
class CoveringArrayTest {

    private final List<Combination> combinations = GeneratedApplications.combinations();

    @Test
    void everyPairIsInAnApplicationOrImpossible() {
        System.out.println(combinations.size() + " applications of seed " + GeneratedApplications.SEED);

        assertThat(Pair.all())
                .allSatisfy(pair -> assertThat(ImpossiblePairs.reason(pair).isPresent())
                        .as("%s is impossible, rather than in an application", pair)
                        .isNotEqualTo(combinations.stream().anyMatch(combination -> combination.has(pair))));
    }

    @Test
    void everyApplicationChoosesOnceInEveryDimension() {
        assertThat(combinations)
                .allSatisfy(combination -> assertThat(combination.choices()).containsOnlyKeys(Dimension.values()));
    }

    @Test
    void theSameSeedGivesTheSameApplications() {
        assertThat(CoveringArray.of(GeneratedApplications.SEED)).isEqualTo(combinations);
    }

    @Test
    void anotherSeedCoversEveryPairToo() {
        List<Combination> others = CoveringArray.of(GeneratedApplications.SEED + 1);

        assertThat(Pair.all().stream().filter(ImpossiblePairs::isPossible))
                .allSatisfy(pair -> assertThat(others).anyMatch(combination -> combination.has(pair)));
    }
}
