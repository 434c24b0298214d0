package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** README.md, llms.txt and the pages under docs have a limited number and size; reports and decisions have no limits. */
class PageSizeTest {

    private static final int MOST_PAGES = 33;
    private static final int LONGEST_README = 120;
    private static final int LONGEST_LINE = 120;
    private static final int LONGEST_ROW = 200;
    private static final int MOST_WORDS_OF_ADVICE = 1500;

    private static final Path DOCS = Pom.ROOT.resolve("docs");
    private static final Path README = Pom.ROOT.resolve("README.md");

    /** The generated pages. */
    private static final Set<String> EXCEPTIONS = Set.of("settings.md");

    private final Pages all;

    PageSizeTest() throws IOException {
        all = Pages.all();
    }

    @Test
    void theReadmeFitsOnAFewScreens() {
        assertThat(page(README).text().lines()).hasSizeLessThanOrEqualTo(LONGEST_README);
    }

    @Test
    void thereAreNotMorePagesThanOneCanKnow() {
        assertThat(pages()).hasSizeBetween(20, MOST_PAGES);
    }

    @Test
    void linesFitAWindowAndRowsOfTablesAreShort() {
        assertThat(Stream.concat(Stream.of(page(README), page(Pages.FOR_ASSISTANTS)), pages().stream())
                        .filter(page -> !EXCEPTIONS.contains(name(page)))
                        .flatMap(PageSizeTest::tooLong))
                .isEmpty();
    }

    @Test
    void thePageAboutPerformanceIsAdvice() {
        assertThat(page(DOCS.resolve("performance.md")).text().split("\\s+"))
                .hasSizeLessThanOrEqualTo(MOST_WORDS_OF_ADVICE);
    }

    @Test
    void aLineThatIsTooLongIsFound() {
        String text = "x".repeat(121) + "\n| " + "y".repeat(150) + " |\n| " + "z".repeat(200) + " |\n";

        assertThat(tooLong(new Page(DOCS.resolve("some.md"), text)))
                .containsExactly("some.md: " + "x".repeat(60), "some.md: | " + "z".repeat(58));
    }

    /** Returns the pages directly in the folder, without reports and decisions. */
    private List<Page> pages() {
        return all.stream()
                .filter(page -> DOCS.normalize().equals(page.file().getParent()))
                .toList();
    }

    private Page page(Path file) {
        return all.below(file.normalize()).findFirst().orElseThrow();
    }

    private static Stream<String> tooLong(Page page) {
        return page.text()
                .lines()
                .filter(line -> line.length() > (line.strip().startsWith("|") ? LONGEST_ROW : LONGEST_LINE))
                .map(line -> name(page) + ": " + line.substring(0, 60));
    }

    private static String name(Page page) {
        return page.file().getFileName().toString();
    }
}
