package io.idem.workshop.simulation;

import java.util.Map;
import java.util.OptionalLong;

/** The number of seeds after which the checkers find a built-in defect, if they find it. */
record FlawScore(String flaw, OptionalLong seeds) {

    /** Plays seeds from 1 to {@code most} until one shows the defect. */
    static FlawScore of(Simulator simulator, String flaw, long most) {
        return of(simulator, flaw, Map.of("flaw", flaw), most);
    }

    /** Plays seeds from 1 to {@code most}, with options that build the defect in, until one shows it. */
    static FlawScore of(Simulator simulator, String flaw, Map<String, String> options, long most) {
        return new FlawScore(
                flaw,
                new Seeds(1, most)
                        .stream()
                                .filter(seed -> !simulator
                                        .play(seed, options)
                                        .violations()
                                        .isEmpty())
                                .findFirst());
    }

    boolean caught() {
        return seeds.isPresent();
    }
}
