package io.idem.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A configuration of a model and the verdict that its comment expects.
 *
 * @param module the module that it configures; Boundary unless a comment names another one
 * @param violated the invariant or property that must be found violated; empty if the configuration must pass
 * @param fewestStates the smallest number of distinct states for a pass
 */
record Expectation(Path file, String module, Optional<String> violated, long fewestStates) {

    private static final String USUAL_MODULE = "Boundary";
    private static final Pattern MODULE = Pattern.compile("(?m)^\\\\\\* module: (\\w+)$");
    private static final Pattern VIOLATION = Pattern.compile("(?m)^\\\\\\* expect: violation of (\\w+)$");
    private static final Pattern PASS = Pattern.compile("(?m)^\\\\\\* expect: pass, (\\d+) states$");

    /** Returns the configurations in a directory. */
    static List<Expectation> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".cfg"))
                    .sorted()
                    .map(Expectation::of)
                    .toList();
        }
    }

    private static Expectation of(Path file) {
        String text = read(file);
        Optional<String> violated = first(VIOLATION, text);
        Optional<String> states = first(PASS, text);
        if (violated.isPresent() == states.isPresent()) {
            throw new IllegalStateException(
                    file.getFileName() + " needs one comment \"expect: violation of …\" or \"expect: pass, … states\"");
        }
        return new Expectation(
                file,
                first(MODULE, text).orElse(USUAL_MODULE),
                violated,
                states.map(Long::valueOf).orElse(0L));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.results().map((MatchResult found) -> found.group(1)).findFirst();
    }

    @Override
    public String toString() {
        return file.getFileName().toString().replace(".cfg", "");
    }
}
