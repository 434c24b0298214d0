package io.idem.applications.covering;

import io.idem.applications.story.Application;
import java.util.List;
import java.util.stream.IntStream;

/** The applications in which every possible pair of choices occurs. */
public final class GeneratedApplications {

    /** The seed, which every run prints; another seed gives other combinations of the same pairs. */
    static final long SEED = Long.getLong("applications.seed", 18);

    private static final List<Combination> COMBINATIONS = CoveringArray.of(SEED);

    private GeneratedApplications() {}

    static List<Combination> combinations() {
        return COMBINATIONS;
    }

    /** Returns the applications of the covering array. */
    public static List<Application> all() {
        return IntStream.range(0, COMBINATIONS.size())
                .mapToObj(index -> Assembly.of(COMBINATIONS.get(index), index + 1))
                .toList();
    }
}
