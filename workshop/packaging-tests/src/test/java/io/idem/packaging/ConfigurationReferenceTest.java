package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Every setting is listed in {@code docs/settings.md}. */
class ConfigurationReferenceTest {

    private static final Path PAGE = Pom.ROOT.resolve("docs/settings.md");
    private static final String WRITE = "configuration.write";

    private final Settings settings = new Settings();

    @Test
    void thePageListsEverySetting() throws IOException {
        String page = new ConfigurationReference(settings.all()).page();
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE))
                .as(
                        "docs/settings.md is older than the settings. Write it anew with: mvn -pl workshop/packaging-tests -am test"
                                + " -Dtest=ConfigurationReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -D"
                                + WRITE)
                .isEqualTo(page);
    }
}
