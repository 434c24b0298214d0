package io.idem.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The result of a model check.
 *
 * @param violated the invariant or property, or {@link #SOME_TEMPORAL_PROPERTY}, because TLC does not name those
 * @param steps the length of the counterexample, or the depth of the search
 */
record Finding(boolean passed, Optional<String> violated, long states, long steps, String output) {

    static final String SOME_TEMPORAL_PROPERTY = "a temporal property";

    private static final Pattern VIOLATED =
            Pattern.compile("(?:Invariant|Action property) (\\w+) is violated|Temporal properties were violated");
    private static final Pattern STATES = Pattern.compile("([\\d,]+) distinct states found");
    private static final Pattern DEPTH = Pattern.compile("depth of the complete state graph search is (\\d+)");
    private static final Pattern STEP = Pattern.compile("(?m)^State \\d+:|^\\d+: ");

    static Finding of(String output) {
        Matcher violation = VIOLATED.matcher(output);
        Optional<String> violated = violation.find()
                ? Optional.of(violation.group(1) == null ? SOME_TEMPORAL_PROPERTY : violation.group(1))
                : Optional.empty();
        boolean passed = output.contains("Model checking completed. No error has been found.");
        return new Finding(passed, violated, last(STATES, output), steps(output), output);
    }

    private static long steps(String output) {
        long depth = last(DEPTH, output);
        return depth > 0 ? depth : STEP.matcher(output).results().count();
    }

    private static long last(Pattern pattern, String output) {
        return pattern.matcher(output)
                .results()
                .map(found -> Long.parseLong(found.group(1).replace(",", "")))
                .reduce(0L, (earlier, later) -> later);
    }

    /** Returns whether the result is the expected one. */
    boolean meets(Expectation expectation) {
        if (expectation.violated().isEmpty()) {
            return passed && states >= expectation.fewestStates();
        }
        return !passed && violated.filter(name -> names(name, expectation)).isPresent();
    }

    /** Compares the names. A configuration whose temporal property must be violated checks no other property. */
    private static boolean names(String name, Expectation expectation) {
        return name.equals(expectation.violated().orElseThrow()) || name.equals(SOME_TEMPORAL_PROPERTY);
    }
}
