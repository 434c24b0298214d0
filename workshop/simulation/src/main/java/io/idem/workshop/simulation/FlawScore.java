package io.idem.workshop.simulation;

import java.util.Map;
import java.util.OptionalLong;

/** Whether the checkers find a mistake that is built in, and after how many seeds. */
record FlawScore(String flaw, OptionalLong seeds) {

    /** Plays seeds from 1 until one shows the mistake. */
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
