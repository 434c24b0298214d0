package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Dockerfiles of the images, checked without building them. */
class DockerfileTest {

    private static final String GATEWAY = "idem-api-gateway-service";

    @ParameterizedTest
    @ValueSource(strings = {GATEWAY, "payment-demo"})
    void imagesStartFromVersionsAndNotAsRoot(String module) throws IOException {
        List<String> lines = instructions(module);
        List<String> user =
                lines.stream().filter(line -> line.startsWith("USER ")).toList();

        assertThat(lines)
                .filteredOn(line -> line.startsWith("FROM "))
                .isNotEmpty()
                .allMatch(line -> line.matches("FROM [a-z/.-]+:[0-9][^ ]*( AS [a-z]+)?"));
        assertThat(user).hasSize(1).allMatch(line -> line.matches("USER [1-9][0-9]*(:[1-9][0-9]*)?"));
        assertThat(lines.get(lines.size() - 1)).matches("(ENTRYPOINT|CMD) \\[.*]");
        assertThat(lines.subList(lines.indexOf(user.get(0)), lines.size()))
                .noneMatch(line -> line.startsWith("COPY ") || line.startsWith("RUN "));
    }

    @ParameterizedTest
    @ValueSource(strings = {GATEWAY, "payment-demo"})
    void imagesCarryNoSecret(String module) throws IOException {
        assertThat(instructions(module))
                .noneMatch(line -> line.startsWith("ADD ") || line.startsWith("ARG "))
                .filteredOn(line -> line.startsWith("ENV "))
                .noneMatch(line -> line.toUpperCase(Locale.ROOT).matches(".*(PASSWORD|SECRET|TOKEN|APIKEY|API_KEY).*"));
    }

    @Test
    void theIntakesImageSaysWhetherItIsAlive() throws IOException {
        assertThat(instructions(GATEWAY)).anyMatch(line -> line.startsWith("HEALTHCHECK "));
        assertThat(Path.of("..", GATEWAY, "healthcheck")).isExecutable();
    }

    private static List<String> instructions(String module) throws IOException {
        String file = Files.readString(Path.of("..", module, "Dockerfile"));
        return file.replace("\\\n", " ")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }
}
