package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The jars can be used on a module path: each has a stable module name, and no two contain the same package. Builds
 * that end before jars are built ({@code mvn test}) skip this test; {@code mvn verify} runs it.
 */
class ModuleNamesTest {

    private static final List<Path> OURS = Arrays.stream(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(ModuleNamesTest::isPublished)
            .toList();

    private static boolean isPublished(Path entry) {
        String path = entry.toString().replace('\\', '/');
        return Pom.published().stream()
                .anyMatch(module -> path.matches(
                        ".*/" + module.artifact() + "/target/(classes|" + module.artifact() + "-[^/]*\\.jar)"));
    }

    @BeforeEach
    void jarsAreMade() {
        assertThat(OURS).hasSameSizeAs(Pom.published());
        assumeThat(OURS).allMatch(Files::isRegularFile);
    }

    @Test
    void everyJarIsNamedAsItsProjectSays() {
        assertThat(modules())
                .containsExactlyInAnyOrderElementsOf(Pom.published().stream()
                        .map(module -> module.text(Pom.MODULE_NAME))
                        .toList());
    }

    @Test
    void namesFollowThePackagesInside() {
        assertThat(finder().findAll())
                .map(ModuleReference::descriptor)
                .filteredOn(module -> !module.packages().isEmpty())
                .allSatisfy(module -> assertThat(shortestPackage(module)).isEqualTo(module.name()));
    }

    @Test
    void noTwoShareAPackage() {
        Configuration together = ModuleLayer.boot()
                .configuration()
                .resolve(finder(), ModuleFinder.of(), modules().stream().collect(Collectors.toSet()));

        assertThat(together.modules()).hasSameSizeAs(OURS);
    }

    private static List<String> modules() {
        Set<ModuleReference> found = finder().findAll();
        return found.stream().map(module -> module.descriptor().name()).toList();
    }

    private static ModuleFinder finder() {
        return ModuleFinder.of(OURS.toArray(Path[]::new));
    }

    private static String shortestPackage(ModuleDescriptor module) {
        return module.packages().stream()
                .min(Comparator.comparing(String::length))
                .orElseThrow();
    }
}
