package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code idem-bom} lists the published modules, and this module tests it. */
class VersionListTest {

    /** A dependency on a module of idem that names its version. */
    private static final Pattern OURS = Pattern.compile(
            "<groupId>io\\.idem</groupId>\\s*<artifactId>[\\w-]+</artifactId>[^<]*<version>([^<]+)</version>");

    private static final Pom LIST = Pom.of(Pom.ROOT.resolve("idem-bom"));
    private static final List<String> PUBLISHED =
            Pom.published().stream().map(Pom::artifact).toList();

    @Test
    void everyPublishedModuleIsListedAndNoOther() {
        assertThat(LIST.texts("/project/dependencyManagement/dependencies/dependency/artifactId"))
                .containsExactlyInAnyOrderElementsOf(PUBLISHED);
    }

    @Test
    void allHaveTheVersionOfTheWhole() {
        assertThat(LIST.text("/project/version")).isEqualTo(Pom.root().text("/project/version"));
        assertThat(LIST.texts("/project/dependencyManagement/dependencies/dependency/version"))
                .containsOnly("${project.version}");
    }

    @Test
    void everyPageNamesTheVersionOfTheWhole() {
        List<String> named = Snippet.all("xml").stream()
                .flatMap(snippet -> OURS.matcher(snippet.code()).results())
                .map(found -> found.group(1))
                .toList();

        assertThat(named).hasSizeGreaterThan(3).containsOnly(Pom.root().text("/project/version"));
    }

    @Test
    void theReadmeSaysWhereItsVersionsComeFrom() {
        assertThat(Snippet.all("xml"))
                .filteredOn(snippet -> snippet.page().toString().endsWith("README.md"))
                .filteredOn(snippet -> snippet.code().contains("-spring-boot-starter</artifactId>"))
                .isNotEmpty()
                .allMatch(snippet -> OURS.matcher(snippet.code()).find());
    }

    @Test
    void theFormatterIsTheSameAsEverywhere() {
        assertThat(LIST.text("/project/build/pluginManagement/plugins/plugin/version"))
                .isEqualTo(Pom.root().text("/project/properties/spotless.version"));
    }

    @Test
    void everyPublishedModuleIsLookedAtHere() {
        assertThat(Pom.of(Pom.ROOT.resolve("workshop/packaging-tests"))
                        .texts("/project/dependencies/dependency/artifactId"))
                .containsAll(PUBLISHED);
    }

    @Test
    void everyPublishedModuleSaysWhatItIs() {
        assertThat(Pom.published()).allSatisfy(module -> {
            assertThat(module.text("/project/name")).isEqualTo(module.artifact());
            assertThat(module.text("/project/description")).endsWith(".");
        });
    }
}
