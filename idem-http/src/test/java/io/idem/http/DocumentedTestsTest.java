package io.idem.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentedTestsTest {

    private static final Pattern REFERENCE = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
    private static final List<String> PACKAGES = List.of(
            "io.idem.http.",
            "io.idem.http.servlet.",
            "io.idem.http.webflux.",
            "io.idem.http.autoconfigure.",
            "io.idem.http.tenant.");

    @Test
    void everyTestThatTheRulesNameExists() throws IOException {
        String docs = Files.readString(Path.of("..", "docs", "http.md"));
        List<MatchResult> references = REFERENCE.matcher(docs).results().toList();

        assertThat(references).hasSizeGreaterThan(40).allMatch(DocumentedTestsTest::exists);
    }

    private static boolean exists(MatchResult reference) {
        return PACKAGES.stream().anyMatch(room -> exists(room + reference.group(1), reference.group(2)));
    }

    private static boolean exists(String type, String method) {
        try {
            return Stream.<Class<?>>iterate(Class.forName(type), Objects::nonNull, Class::getSuperclass)
                    .flatMap(declaring -> Arrays.stream(declaring.getDeclaredMethods()))
                    .map(Method::getName)
                    .anyMatch(method::equals);
        } catch (ClassNotFoundException elsewhere) {
            return false;
        }
    }
}
