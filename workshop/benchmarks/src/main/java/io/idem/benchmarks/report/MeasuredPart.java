package io.idem.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The part of a page that a run writes; what people wrote around it stays. */
public record MeasuredPart(Path page) {

    static final String BEGIN = "<!-- measured: begin -->";
    static final String END = "<!-- measured: end -->";

    /**
     * Makes sure before the work that there is a place for its figures.
     *
     * @throws IOException if the page cannot be read, or lacks its two marks
     */
    public void check() throws IOException {
        String text = Files.readString(page);
        if (!text.contains(BEGIN) || text.indexOf(END) < text.indexOf(BEGIN)) {
            throw new IOException(page + " has no " + BEGIN + " and " + END + " to write between");
        }
    }

    /**
     * Puts {@code markdown} in place of what an earlier run wrote.
     *
     * @throws IOException if the page cannot be read or written, or lacks its two marks
     */
    public void replace(String markdown) throws IOException {
        check();
        String text = Files.readString(page);
        Files.writeString(
                page,
                text.substring(0, text.indexOf(BEGIN) + BEGIN.length()) + "\n\n" + markdown + "\n"
                        + text.substring(text.indexOf(END)));
    }
}
