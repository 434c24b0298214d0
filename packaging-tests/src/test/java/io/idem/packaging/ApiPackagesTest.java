package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every package is either API, as {@code docs/releasing.md} lists it, or left out of the comparison with the last release. */
class ApiPackagesTest {

    private static final Pattern LISTED = Pattern.compile("`(io\\.idem[a-z0-9.]*)`");

    @Test
    void everyPackageIsEitherApiOrNot() throws IOException {
        Stream<String> excluded = Pom.root().texts("//excludes/exclude").filter(name -> name.startsWith("io.idem"));

        assertThat(Stream.concat(api(), excluded)).containsExactlyInAnyOrderElementsOf(packages());
    }

    private static Stream<String> api() throws IOException {
        String page = Files.readString(Pom.ROOT.resolve("docs/releasing.md"));
        return page.lines()
                .filter(line -> line.startsWith("| `idem-"))
                .flatMap(line -> LISTED.matcher(line).results())
                .map(name -> name.group(1));
    }

    private static List<String> packages() {
        return Pom.published().stream()
                .map(module -> module.folder().resolve("src/main/java"))
                .filter(Files::isDirectory)
                .flatMap(ApiPackagesTest::packages)
                .toList();
    }

    private static Stream<String> packages(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files
                    .filter(file -> file.getFileName().toString().equals("package-info.java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
