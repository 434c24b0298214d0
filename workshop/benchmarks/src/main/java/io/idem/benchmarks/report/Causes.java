package io.idem.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/**
 * The explanations of missed goals on a page, under headings such as {@code ### Why G1}.
 *
 * @param page the text of the page; empty for a table that is on no page
 */
public record Causes(String page) {

    private static final Set<Verdict> EXPLAINED = Set.of(Verdict.WITHIN_GATE, Verdict.MISSED);

    /** No explanations, for a table that is on no page. */
    public static final Causes NONE = new Causes("");

    /** Reads the explanations of a page. */
    public static Causes of(Path page) throws IOException {
        return new Causes(Files.readString(page));
    }

    /**
     * Returns the verdict. If the goal was not met, adds a link to the explanation, or says that none is written down.
     */
    String text(Goal goal, Verdict verdict) {
        if (page.isEmpty() || !EXPLAINED.contains(verdict)) {
            return verdict.text();
        }
        String heading = "Why " + goal.id();
        return page.lines().anyMatch(("### " + heading)::equals)
                ? "[" + verdict.text() + "](#"
                        + heading.toLowerCase(Locale.ROOT).replace(' ', '-') + ")"
                : verdict.text() + ", for a reason not written down";
    }
}
