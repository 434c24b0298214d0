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
 * A page of the documentation, in Markdown as code hosts show it.
 *
 * @param file below the root of the project
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

    /** What it links to, as it is written; addresses of other sites left out. */
    List<String> links() {
        return LINK.matcher(CODE.matcher(prose()).replaceAll("x"))
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .toList();
    }

    /** The file that a link leads to. */
    Path target(String link) {
        String path = link.replaceFirst("#.*", "");
        return path.isEmpty() ? file : file.resolveSibling(path).normalize();
    }

    /** What a link may name behind the {@code #}: the page's headings, and anchors that it sets. */
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

    /** What it names in backticks that looks like a path. */
    List<String> paths() {
        return NAMED_PATH
                .matcher(prose())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Its blocks of code, and what it quotes in backticks. */
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

    /** The second heading of one name has a number behind it, and so on. */
    private static String numbered(List<String> names, int at) {
        String name = names.get(at);
        long before = names.subList(0, at).stream().filter(name::equals).count();
        return before == 0 ? name : name + "-" + before;
    }
}
