package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every public type appears as code on a page directly under docs. */
class PublicTypesTest {

    private static final Pattern WORD = Pattern.compile("\\w+");

    private final List<SourceFile> api =
            SourceFile.published().stream().filter(SourceFile::isPublicApi).toList();

    @Test
    void everyPublicTypeIsNamedOnAPage() throws IOException {
        Set<String> named = namesOnPages();

        assertThat(api).hasSizeGreaterThan(150);
        assertThat(api.stream()
                        .filter(source -> !named.contains(source.type()))
                        .map(source -> source.packageName() + "." + source.type()))
                .as("public types that no page names: name them where a reader needs them, or hide them")
                .isEmpty();
    }

    private static Set<String> namesOnPages() throws IOException {
        return Pages.all().stream()
                .filter(page ->
                        Pom.ROOT.resolve("docs").normalize().equals(page.file().getParent()))
                .flatMap(page -> page.code().stream())
                .flatMap(code -> WORD.matcher(code).results().map(word -> word.group()))
                .collect(Collectors.toSet());
    }

    @Test
    void aNameCountsOnlyWhereItIsCode() {
        Page page = new Page(Pom.ROOT.resolve("docs/some.md"), "Prose of `Quoted.name`\n```java\nBlock x;\n```\n");

        assertThat(page.code())
                .flatMap(code -> Stream.of(code.split("\\W+")).toList())
                .contains("Quoted", "name", "Block")
                .doesNotContain("Prose");
    }
}
