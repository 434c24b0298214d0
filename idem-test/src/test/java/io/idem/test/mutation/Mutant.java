package io.idem.test.mutation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A script with one change in one line.
 *
 * @param script name of the script
 * @param number of the line
 * @param line as it is now
 * @param text the whole script with the change
 */
record Mutant(String script, int number, String line, String text) {

    /** What is replaced, and by what. Each occurrence is a mutant of its own. */
    private static final Map<Pattern, String> CHANGES = Map.ofEntries(
            Map.entry(Pattern.compile(" and "), " or "),
            Map.entry(Pattern.compile(" or "), " and "),
            Map.entry(Pattern.compile(" >= "), " < "),
            Map.entry(Pattern.compile(" > "), " <= "),
            Map.entry(Pattern.compile(" == "), " ~= "),
            Map.entry(Pattern.compile(" ~= "), " == "),
            Map.entry(Pattern.compile("\\bnot "), ""),
            Map.entry(Pattern.compile(" \\+ "), " - "),
            Map.entry(Pattern.compile("math\\.max"), "math.min"),
            Map.entry(Pattern.compile("math\\.min"), "math.max"),
            Map.entry(Pattern.compile("^(\\s+)if .* then$"), "$1if false then"),
            Map.entry(Pattern.compile("\\bCOMPLETED\\b(?!')"), "REJECTED"),
            Map.entry(Pattern.compile("\\bREJECTED\\b(?!')"), "COMPLETED"),
            Map.entry(Pattern.compile("\\bFAILED\\b"), "PENDING"),
            Map.entry(Pattern.compile("\\bPENDING\\b"), "FAILED"));

    /** Headers, constants, and what answers values of others: those have tests of their own. */
    private static final Pattern LEFT_ALONE =
            Pattern.compile("^--|^#!|^\\s*local [A-Z]|UNREADABLE|WRONGTYPE|ERROR|length|type\\(|not open|FENCE_LIMIT");

    /** Every mutant of a script. */
    static Stream<Mutant> of(String script, String text) {
        List<String> lines = text.lines().toList();
        return IntStream.range(0, lines.size())
                .filter(i -> !LEFT_ALONE.matcher(lines.get(i)).find())
                .boxed()
                .flatMap(i -> changed(lines.get(i)).stream().map(line -> with(script, lines, i, line)));
    }

    private static Mutant with(String script, List<String> lines, int index, String line) {
        List<String> copy = new ArrayList<>(lines);
        copy.set(index, line);
        return new Mutant(script, index + 1, line.strip(), String.join("\n", copy));
    }

    private static List<String> changed(String line) {
        List<String> results = new ArrayList<>();
        CHANGES.forEach((pattern, replacement) -> {
            Matcher matcher = pattern.matcher(line);
            while (matcher.find()) {
                String tail = line.substring(matcher.start());
                results.add(line.substring(0, matcher.start())
                        + pattern.matcher(tail).replaceFirst(replacement));
            }
        });
        return results;
    }

    @Override
    public String toString() {
        return script + ".lua:" + number + "  " + line;
    }
}
