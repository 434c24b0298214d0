package io.idem.gateway.internal.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GatewayProblemTest {

    @ParameterizedTest
    @EnumSource
    void everyProblemIsExplainedInTheDocumentation(GatewayProblem problem) throws IOException {
        String docs = Files.readString(Path.of("..", "docs", "intake.md"));

        assertThat(docs).contains("| `" + problem.type() + "` | " + problem.status() + " |");
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemHasItsAnchorOnThePageThatApplicationsServe(GatewayProblem problem) throws IOException {
        try (InputStream page = getClass().getResourceAsStream("/META-INF/resources/idem/problems.html")) {
            String html = new String(Objects.requireNonNull(page).readAllBytes(), StandardCharsets.UTF_8);

            assertThat(html)
                    .contains("id=\"" + problem.slug() + "\"", problem.type(), "<td>" + problem.status() + "</td>");
        }
    }
}
