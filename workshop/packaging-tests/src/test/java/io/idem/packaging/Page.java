package io.idem.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A page of the documentation, in Markdown as code hosts render it.
 *
 * @param file the file relative to the root of the project
 */
record Page(Path file, String text) {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern CODE = Pattern.compile("`[^`\n]+`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)|(?:src|href)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
    private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");
    private static final Pattern NAMED_PATH = Pattern.compile("`((?:[\\w.-]+/)+[\\w.-]*)`");

    static Page of(Path file) {
        try {
            return new Page(file.normalize(), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the links of the page as written, without links to other sites. */
    List<String> links() {
        return LINK.matcher(CODE.matcher(prose()).replaceAll("x"))
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .toList();
    }

    /** Returns the file to which a link leads. */
    Path target(String link) {
        String path = link.replaceFirst("#.*", "");
        return path.isEmpty() ? file : file.resolveSibling(path).normalize();
    }

    /** Returns the possible link targets after a {@code #}: the headings of the page and its explicit anchors. */
    Set<String> anchors() {
        List<String> names = HEADING.matcher(prose())
                .results()
                .map(heading -> anchor(heading.group(1)))
                .toList();
        return Stream.concat(
                        IntStream.range(0, names.size()).mapToObj(at -> numbered(names, at)),
                        ANCHOR.matcher(text).results().map(found -> found.group(1)))
                .collect(Collectors.toSet());
    }

    /** Returns the text in backticks that looks like a path. */
    List<String> paths() {
        return NAMED_PATH
                .matcher(prose())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Returns the code blocks and the text in backticks. */
    List<String> code() {
        return Stream.concat(
                        BLOCK.matcher(text).results(), CODE.matcher(prose()).results())
                .map(MatchResult::group)
                .toList();
    }

    @Override
    public String toString() {
        return file.toString();
    }

    private String prose() {
        return BLOCK.matcher(text).replaceAll("");
    }

    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    /** Returns the anchor of a heading; repeated headings get a number. */
    private static String numbered(List<String> names, int at) {
        String name = names.get(at);
        long before = names.subList(0, at).stream().filter(name::equals).count();
        return before == 0 ? name : name + "-" + before;
    }
}
