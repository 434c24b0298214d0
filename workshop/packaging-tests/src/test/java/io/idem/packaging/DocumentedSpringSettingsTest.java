package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The settings of Spring Boot that README.md and the pages under docs name in their sentences exist. */
class DocumentedSpringSettingsTest {

    private static final Pattern NAME =
            Pattern.compile("`((?:spring|server|management|logging)\\.[a-z][a-z0-9.*-]*)(?:[=:][^`]*)?`");

    private final Metadata metadata = new Metadata();

    @Test
    void everySettingOfSpringsThatADocumentNamesExists() throws IOException {
        List<Page> pages = documents();

        assertThat(pages.stream().flatMap(page -> names(page.text()))).hasSizeGreaterThan(40);
        assertThat(pages.stream()
                        .flatMap(page -> names(page.text())
                                .filter(name -> !isKnown(name))
                                .map(name -> page.file() + " names " + name)))
                .isEmpty();
    }

    @Test
    void namesThatAreNoneAreFound() {
        assertThat(names("`spring.data.redis.*`, `server.port=8080`, `management.server.port: 9000`, spring.kafka"))
                .containsExactly("spring.data.redis.*", "server.port", "management.server.port");
        assertThat(Stream.of("spring.rabbitmq.publisher-return", "spring.rabbit", "spring.rabbit.*"))
                .noneMatch(this::isKnown);
        assertThat(Stream.of("spring.rabbitmq", "spring.rabbitmq.listener.*.retry.*", "spring.rabbitmq.port"))
                .allMatch(this::isKnown);
    }

    /** Returns whether this is a setting or a prefix of settings; an asterisk stands for any part of a name. */
    private boolean isKnown(String name) {
        return metadata.namesLike(name.replaceFirst("\\.\\*$", "")) || metadata.knows(name);
    }

    private static Stream<String> names(String text) {
        return NAME.matcher(text).results().map(found -> found.group(1));
    }

    private static List<Page> documents() throws IOException {
        Path docs = Pom.ROOT.resolve("docs");
        return Pages.all().stream()
                .filter(page -> page.file().startsWith(docs) || page.file().equals(Pom.ROOT.resolve("README.md")))
                .toList();
    }
}
