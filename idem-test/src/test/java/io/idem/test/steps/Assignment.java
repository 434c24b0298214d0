package io.idem.test.steps;

import java.util.Optional;

/**
 * The order to a process about one key.
 *
 * @param stop where it is stopped; empty if it is not
 */
record Assignment(String key, Rule rule, Optional<Stop> stop) {

    private static final String NOWHERE = "-";

    static Assignment parse(String text) {
        String[] words = text.split(",", -1);
        return new Assignment(
                words[0],
                Rule.valueOf(words[1]),
                words[2].equals(NOWHERE)
                        ? Optional.empty()
                        : Optional.of(new Stop(Boundary.valueOf(words[2]), words[3])));
    }

    String text() {
        String where = stop.map(at -> at.boundary() + "," + at.step()).orElse(NOWHERE);
        return key + "," + rule + "," + where;
    }
}
