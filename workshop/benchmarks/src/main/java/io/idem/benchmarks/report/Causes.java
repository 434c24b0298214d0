package io.idem.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Says beside a verdict where its page tells why: under a heading such as {@code ### Why G1}.
 *
 * @param page the text of the page; empty for a table that stands on no such page
 */
public record Causes(String page) {

    /** For a table by itself. */
    public static final Causes NONE = new Causes("");

    /** Those that this page tells. */
    public static Causes of(Path page) throws IOException {
        return new Causes(Files.readString(page));
    }

    /** The verdict; where the goal was not met, with a link to the cause or the news that none is written down. */
    String text(Goal goal, Verdict verdict) {
        if (page.isEmpty() || verdict == Verdict.MET || verdict == Verdict.NOT_RUN) {
            return verdict.text();
        }
        String heading = "Why " + goal.id();
        return page.lines().anyMatch(("### " + heading)::equals)
                ? "[" + verdict.text() + "](#"
                        + heading.toLowerCase(Locale.ROOT).replace(' ', '-') + ")"
                : verdict.text() + ", for a reason not written down";
    }
}
