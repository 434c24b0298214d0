package io.idem.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The part of a page that a run writes; the text around it is left unchanged. */
public record MeasuredPart(Path page) {

    static final String BEGIN = "<!-- measured: begin -->";
    static final String END = "<!-- measured: end -->";

    /**
     * Checks before a run that the page has a place for the figures.
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
     * Replaces the part with {@code markdown}.
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
