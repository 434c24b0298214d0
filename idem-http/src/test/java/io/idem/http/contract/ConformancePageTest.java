package io.idem.http.contract;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.ConformanceVector.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code docs/reports/http-conformance.md} lists the vectors with the results that {@link ConformanceContract} verifies. */
class ConformancePageTest {

    private static final Path PAGE = Path.of("..", "docs", "reports", "http-conformance.md");
    private static final String WRITE = "conformance.write";

    @Test
    void thePageListsEveryVectorWithItsResult() throws IOException {
        String page = page();
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE))
                .as(
                        "docs/reports/http-conformance.md is older than the vectors. Write it anew with: mvn -pl idem-http -am test"
                                + " -Dtest=ConformancePageTest -Dsurefire.failIfNoSpecifiedTests=false -D"
                                + WRITE)
                .isEqualTo(page);
    }

    private static String page() {
        return """
                # HTTP conformance

                What two others require of a server that takes idempotency keys, and what idem does. A test writes this page.

                Each vector is a test, `ConformanceContract` in `idem-http`. It runs on Tomcat and Netty in the ordinary build, and on
                Jetty in the extended one. Where idem deviates, the test shows both: that the requirement is not met, and what
                happens instead.

                - **The draft** is `draft-ietf-httpapi-idempotency-key-header-07`, read together with RFC 9651, which defines the syntax
                  of the field. Numbers are those of its sections.
                - **anyonce** is [another implementation](https://github.com/sns45/anyonce) with a conformance suite for HTTP: `core` is
                  what it reads in the draft, `profile` what it chose itself. Its cases are written anew here.

                """
                + table(
                        "| source | vectors | " + header() + " |",
                        "| --- |" + " ---: |".repeat(1 + Result.values().length),
                        counts("the draft", DraftVectors.all()) + counts("anyonce", AnyonceVectors.all()))
                + "\n## The draft\n\n"
                + vectors(DraftVectors.all())
                + "\n## anyonce\n\n"
                + vectors(AnyonceVectors.all());
    }

    private static String header() {
        return Arrays.stream(Result.values()).map(Result::text).collect(joining(" | "));
    }

    private static String counts(String source, List<ConformanceVector> vectors) {
        String counted = Arrays.stream(Result.values())
                .map(result -> Long.toString(vectors.stream()
                        .filter(vector -> vector.result() == result)
                        .count()))
                .collect(joining(" | "));
        return "| " + source + " | " + vectors.size() + " | " + counted + " |\n";
    }

    private static String vectors(List<ConformanceVector> vectors) {
        return table(
                "| vector | required | result |",
                "| --- | --- | --- |",
                vectors.stream().map(ConformancePageTest::row).collect(joining()));
    }

    private static String row(ConformanceVector vector) {
        String reason = vector.reason().isEmpty() ? "" : ": " + vector.reason();
        return "| " + vector.id() + " | " + vector.requirement() + " | "
                + vector.result().text() + reason + " |\n";
    }

    private static String table(String header, String line, String rows) {
        return header + "\n" + line + "\n" + rows;
    }
}
