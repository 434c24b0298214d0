package io.idem.applications.covering;

import io.idem.applications.story.Application;
import java.util.List;
import java.util.stream.IntStream;

/** Applications in which every two choices meet that can. */
public final class GeneratedApplications {

    /** Printed by every run; another one gives other combinations of the same pairs. */
    static final long SEED = Long.getLong("applications.seed", 18);

    private static final List<Combination> COMBINATIONS = CoveringArray.of(SEED);

    private GeneratedApplications() {}

    static List<Combination> combinations() {
        return COMBINATIONS;
    }

    /** The applications of the covering array. */
    public static List<Application> all() {
        return IntStream.range(0, COMBINATIONS.size())
                .mapToObj(index -> Assembly.of(COMBINATIONS.get(index), index + 1))
                .toList();
    }
}
