package io.idem.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A code block on a page.
 *
 * @param page the page, relative to the project
 * @param line the line where the block begins
 * @param language the language as the fence names it; empty if it does not
 */
record Snippet(Path page, long line, String language, String code) {

    private static final Pattern FENCED = Pattern.compile("(?m)^ *```(\\w*)\\n([\\s\\S]*?)^ *```$");

    /** Returns the snippets of the pages for users. */
    static List<Snippet> all() {
        return Pages.forUsers().stream().flatMap(Snippet::of).toList();
    }

    static List<Snippet> all(String language) {
        return all().stream()
                .filter(snippet -> snippet.language().equals(language))
                .toList();
    }

    static Stream<Snippet> on(Path page, String text) {
        return FENCED.matcher(text).results().map(found -> snippet(page, text, found));
    }

    /** Returns whether the snippet is a whole file, which can be compiled unchanged. */
    boolean isWholeFile() {
        return code.startsWith("package ");
    }

    @Override
    public String toString() {
        return page + ":" + line;
    }

    private static Stream<Snippet> of(Path page) {
        try {
            return on(Pom.ROOT.relativize(page), Files.readString(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Snippet snippet(Path page, String text, MatchResult found) {
        long line = text.substring(0, found.start()).lines().count() + 1;
        return new Snippet(page, line, found.group(1), found.group(2));
    }
}
