package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The settings that the documents name exist. */
class DocumentedSettingsTest {

    private static final Pattern NAME =
            Pattern.compile("(?<![\\w./-])idem\\.[a-z][a-z0-9-]*(?:\\[]|\\[[\\w.]+]|\\.<[a-z-]+>|\\.[a-z][a-z0-9-]*)*");
    private static final Pattern ASKED = Pattern.compile(
            "(?:@ConditionalOn(?:Boolean)?Property\\((?:name = )?|getProperty\\(|\\.bind\\()\"(idem\\.[a-z.-]+)\"");
    private static final Pattern METER_ROW = Pattern.compile("(?m)^\\| `(idem\\.[a-z.-]+)`");

    /** The names that are not settings of an application. */
    private static final Set<String> OTHERS = Set.of(
            "idem.outbox.unsent",
            "idem.outbox.oldest",
            "idem.omitted",
            "idem.again",
            "idem.zlib",
            "idem.aes-gcm",
            "idem.offload",
            "idem.health");

    private final List<String> settings = new Settings()
            .all().stream().map(setting -> general(setting.name())).toList();

    /** Returns the name with wildcards in place of names and numbers of entries. */
    private static String general(String name) {
        return name.replaceAll("\\[]|\\.<[a-z-]+>|\\[[\\w.]+]", ".*");
    }

    @Test
    void everySettingThatADocumentNamesExists() {
        Set<String> meters = meters();

        assertThat(Pages.forUsers())
                .hasSizeGreaterThan(20)
                .allSatisfy(document -> assertThat(names(document))
                        .as(document.getFileName().toString())
                        .filteredOn(name -> !meters.contains(name) && !OTHERS.contains(name))
                        .allMatch(this::isKnown));
    }

    @Test
    void everySettingThatCodeAsksForExists() {
        Set<String> asked = Pom.published().stream()
                .flatMap(module -> files(module.folder().resolve("src/main"), ".java"))
                .flatMap(source -> ASKED.matcher(read(source)).results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(asked).hasSizeGreaterThan(5).isSubsetOf(settings);
    }

    @Test
    void namesThatAreNoneAreFound() {
        assertThat(names("`idem.redis.uri`, `-Didem.fuzz.seed=1`, io.idem.spi, `idem.scopes.<scope>.lease`"))
                .containsExactly("idem.redis.uri", "idem.scopes.<scope>.lease");
        assertThat(isKnown("idem.redis.uri")).isFalse();
        assertThat(isKnown("idem.scopes.<scope>.lease")).isTrue();
        assertThat(isKnown("idem.scopes[http.shop].lease")).isTrue();
        assertThat(isKnown("idem.result.encryption.keys.first")).isTrue();
        assertThat(isKnown("idem.gateway.openapi")).isTrue();
    }

    /** Returns whether this is a setting, an entry of a map, or a prefix of settings. */
    private boolean isKnown(String name) {
        String general = general(name);
        return settings.stream()
                .anyMatch(setting -> setting.equals(general)
                        || setting.startsWith(general + ".")
                        || general.startsWith(setting + "."));
    }

    private static Set<String> names(Path document) {
        return names(read(document));
    }

    private static Set<String> names(String text) {
        return NAME.matcher(text)
                .results()
                .filter(found -> !text.startsWith("-D", Math.max(0, found.start() - 2)))
                .map(found -> found.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> meters() {
        Path page = Pom.ROOT.resolve("docs/observability.md");
        return METER_ROW
                .matcher(Files.exists(page) ? read(page) : "")
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    private static Stream<Path> files(Path folder, String ending) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
