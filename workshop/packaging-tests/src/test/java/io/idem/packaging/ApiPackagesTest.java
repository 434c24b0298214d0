package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every package is either API, as {@code docs/releasing.md} lists it, or excluded from the API comparison. */
class ApiPackagesTest {

    private static final Pattern LISTED = Pattern.compile("`(io\\.idem[a-z0-9.]*)`");

    @Test
    void everyPackageIsEitherApiOrNot() throws IOException {
        Set<String> api = api().collect(Collectors.toSet());
        Set<String> others = Pom.root()
                .texts("//excludes/exclude")
                .filter(name -> name.startsWith("io.idem"))
                .collect(Collectors.toSet());

        assertThat(api).doesNotContainAnyElementsOf(others);
        assertThat(packages()).containsAll(api);
        assertThat(others)
                .allMatch(
                        left -> packages().stream().anyMatch(name -> name.equals(left) || name.startsWith(left + ".")));
        assertThat(packages()).allMatch(name -> isSaid(name, api) || isSaid(name, others));
    }

    /** Returns whether the names include the package or a parent; {@code io.idem} stands for itself only. */
    private static boolean isSaid(String name, Set<String> said) {
        return said.contains(name)
                || said.stream().anyMatch(parent -> !parent.equals("io.idem") && name.startsWith(parent + "."));
    }

    private static Stream<String> api() throws IOException {
        String page = Files.readString(Pom.ROOT.resolve("docs/releasing.md"));
        return page.lines()
                .dropWhile(line -> !line.equals("## What is API"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
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
