package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The quick starts name current versions; {@link QuickStartTest} runs them. */
class QuickStartPagesTest {

    private static final String VERSION = "<version>" + Pom.root().text("/project/version") + "</version>";

    @ParameterizedTest
    @CsvSource({"rabbitmq, rabbitmq", "kafka, kafka", "http, http", "inbox, inbox", "modulith, inbox"})
    void aQuickStartNamesTheVersionsOfThisBuild(String name, String starter) throws IOException {
        String page = QuickStart.of(name).page();

        assertThat(page)
                .containsPattern("<artifactId>idem-" + starter + "-spring-boot-starter</artifactId>\\s*" + VERSION)
                .contains("<version>" + Pom.root().text("/project/properties/spring-boot.version") + "</version>");
    }

    @Test
    void theQuickStartOfModulithNamesTheVersionsOfThisBuild() throws IOException {
        assertThat(QuickStart.of("modulith").page())
                .contains("<version>" + Pom.root().text("/project/properties/spring-modulith.version") + "</version>")
                .contains("<version>" + Pom.root().text("/project/properties/spring-modulith-kafka.version") + "<");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rabbitmq", "kafka", "cloud stream", "http", "inbox", "modulith"})
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
