package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The links, anchors and file names in the documents exist, and the index leads to every page. */
class DocumentLinksTest {

    private static final Path DOCS = Pom.ROOT.resolve("docs");

    private static final Page NONE = new Page(DOCS, "");

    /** The pages that a program generates on request. */
    private static final Set<String> MADE_LATER = Set.of("docs/reports/reliability-results.md");

    private final Pages pages;

    DocumentLinksTest() throws IOException {
        pages = Pages.all();
    }

    @Test
    void everyLinkLeadsToAFileAndAHeading() {
        assertThat(pages.stream().flatMap(page -> page.links().stream())).hasSizeGreaterThan(150);
        assertThat(pages.stream().flatMap(page -> dead(page).map(link -> page.file() + " -> " + link)))
                .isEmpty();
    }

    @Test
    void everyFileThatAPageNamesExists() throws IOException {
        Set<String> scripts = scripts();

        assertThat(pages.stream().flatMap(page -> page.paths().stream()).filter(this::isOurs))
                .hasSizeGreaterThan(10);
        assertThat(pages.stream()
                        .flatMap(page -> page.paths().stream()
                                .filter(path -> isMissing(path, scripts))
                                .map(path -> page.file() + " names " + path)))
                .isEmpty();
    }

    @Test
    void everyPageIsReachedFromTheIndex() {
        assertThat(pages.below(DOCS)).hasSizeGreaterThan(40);
        assertThat(pages.reachedFrom(DOCS.resolve("README.md")))
                .as("pages to which links lead from docs/README.md")
                .containsAll(pages.below(DOCS).toList());
    }

    @Test
    void thePageForAssistantsLeadsToTheirSectionAndToTheRest() {
        Page page = pages.below(Pages.FOR_ASSISTANTS).findFirst().orElseThrow();

        assertThat(page.links()).hasSizeGreaterThan(15).contains("docs/quickstart.md#for-coding-assistants");
        assertThat(page.text()).startsWith("# idem\n\n> ");
    }

    @Test
    void whatIsBrokenIsFound() {
        Page page = new Page(DOCS.resolve("some.md"), """
                # A `first` heading, [linked](README.md)
                # Twice
                # Twice
                [gone](no-such-page.md), [not there](#third), [there](#twice-1), [else](https://example.com),
                [also](#a-first-heading-linked), `[x](y)`, `docs/no-such-page.md`, `postgresql/V9__none.sql`, `text/plain`
                ```
                [code](nowhere.md)
                ```
                """);

        assertThat(dead(page)).containsExactly("no-such-page.md", "#third");
        assertThat(page.paths().stream().filter(path -> isMissing(path, Set.of())))
                .containsExactly("docs/no-such-page.md", "postgresql/V9__none.sql");
    }

    private Stream<String> dead(Page page) {
        return page.links().stream().filter(link -> isDead(page, link));
    }

    private boolean isDead(Page page, String link) {
        Path target = page.target(link);
        if (link.contains("#")) {
            Page linked = target.equals(page.file()) ? page : pages.byFile().getOrDefault(target, NONE);
            return !linked.anchors().contains(link.substring(link.indexOf('#') + 1));
        }
        return !Files.exists(target);
    }

    /** Returns whether a path begins in the root of the project and is not created by the build. */
    private boolean isOurs(String path) {
        List<String> parts = List.of(path.split("/"));
        return !parts.contains("target") && Files.exists(Pom.ROOT.resolve(parts.get(0)));
    }

    private boolean isMissing(String path, Set<String> scripts) {
        if (path.endsWith(".sql")) {
            return scripts.stream().noneMatch(script -> script.endsWith("/" + path));
        }
        return isOurs(path) && !MADE_LATER.contains(path) && !Files.exists(Pom.ROOT.resolve(path));
    }

    /** Returns the database scripts in the jars, which pages name by the ends of their paths. */
    private static Set<String> scripts() throws IOException {
        try (Stream<Path> files = Files.walk(Pom.ROOT.resolve("idem-jdbc/src/main/resources"))) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".sql"))
                    .collect(Collectors.toSet());
        }
    }
}
