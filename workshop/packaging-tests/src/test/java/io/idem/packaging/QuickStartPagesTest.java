package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The quick starts name current versions; {@link QuickStartTest} runs them. */
class QuickStartPagesTest {

    private static final String VERSION = "<version>" + Pom.root().text("/project/version") + "</version>";

    @ParameterizedTest
    @ValueSource(strings = {"rabbitmq", "kafka", "http", "inbox"})
    void aQuickStartNamesTheVersionsOfThisBuild(String name) throws IOException {
        String page = QuickStart.of(name).page();

        assertThat(page)
                .containsPattern("<artifactId>idem-" + name + "-spring-boot-starter</artifactId>\\s*" + VERSION)
                .contains("<version>" + Pom.root().text("/project/properties/spring-boot.version") + "</version>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rabbitmq", "kafka", "http", "inbox"})
    void itsServersAreThoseOfTheComposeFile(String name) throws IOException {
        String compose = Files.readString(Pom.ROOT.resolve("docker-compose.yml"));
        List<String> images = QuickStart.of(name).commands("docker").stream()
                .map(command -> command.substring(command.lastIndexOf(' ') + 1))
                .toList();

        assertThat(images).isNotEmpty().allSatisfy(image -> assertThat(compose).contains("image: " + image));
    }

    @Test
    void theListOfVersionsIsThatOfThisBuild() throws IOException {
        String page = Files.readString(Pom.ROOT.resolve("docs/releasing.md"));

        assertThat(page).containsPattern("<artifactId>idem-bom</artifactId>\\s*" + VERSION);
        assertThat(Pom.published()).allSatisfy(module -> assertThat(page).contains("| `" + module.artifact() + "` |"));
    }
}
