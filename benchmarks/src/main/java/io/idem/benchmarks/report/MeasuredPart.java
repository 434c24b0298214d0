package io.idem.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The part of a page that a run writes; what people wrote around it stays. */
public record MeasuredPart(Path page) {

    static final String BEGIN = "<!-- measured: begin -->";
    static final String END = "<!-- measured: end -->";

    /**
     * Puts {@code markdown} in place of what an earlier run wrote.
     *
     * @throws IOException if the page cannot be read or written, or lacks its two marks
     */
    public void replace(String markdown) throws IOException {
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(page + " has no " + BEGIN + " and " + END + " to write between");
        }
        Files.writeString(
                page, text.substring(0, begin + BEGIN.length()) + "\n\n" + markdown + "\n" + text.substring(end));
    }
}
