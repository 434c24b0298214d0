package io.idem.workshop.simulation;

import java.util.Map;
import java.util.OptionalLong;

/** The number of seeds after which the checkers find a built-in defect, if they find it. */
record FlawScore(String flaw, OptionalLong seeds) {

    /** Plays seeds from 1 to {@code most} until one shows the defect. */
    static FlawScore of(Simulator simulator, String flaw, long most) {
        Seeds all = new Seeds(1, most);
        return new FlawScore(
                flaw,
                all.stream()
                        .filter(seed -> !simulator
                                .play(seed, Map.of("flaw", flaw))
                                .violations()
                                .isEmpty())
                        .findFirst());
    }

    boolean caught() {
        return seeds.isPresent();
    }
}
