package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;

/** Settings on README.md and on the pages under docs exist, ours and Spring's, and ours are taken by the classes that hold them. */
class SettingsSnippetsTest {

    private final Metadata metadata = new Metadata();
    private final List<Snippet> snippets = Stream.of("yaml", "properties")
            .flatMap(language -> Snippet.all(language).stream())
            .filter(snippet -> SettingsFile.of(snippet).isOfAnApplication())
            .toList();

    @Test
    void everySettingExists() {
        assertThat(snippets)
                .hasSizeGreaterThan(10)
                .allSatisfy(snippet -> assertThat(SettingsFile.of(snippet).names())
                        .as(snippet.toString())
                        .allMatch(metadata::knows));
    }

    @Test
    void everyValueIsTaken() {
        assertThat(metadata.holders()).hasSizeGreaterThan(15);
        assertThat(snippets)
                .allSatisfy(snippet -> assertThatCode(() -> bind(snippet))
                        .as(snippet.toString())
                        .doesNotThrowAnyException());
    }

    @Test
    void whatDoesNotExistOrIsNotTakenIsFound() {
        Snippet misspelt = yaml("idem.http.routes: [{paths: /v1/payments}]");
        Snippet wrong = yaml("idem.lease: soon");

        assertThat(SettingsFile.of(misspelt).names()).noneMatch(metadata::knows);
        assertThat(metadata.knows("spring.data.redis.hostname")).isFalse();
        assertThatThrownBy(() -> bind(wrong)).isInstanceOf(BindException.class);
    }

    private void bind(Snippet snippet) {
        SettingsFile file = SettingsFile.of(snippet);
        metadata.holders().forEach(holder -> file.bindTo(prefix(holder), holder));
    }

    private static String prefix(Class<?> holder) {
        return Objects.requireNonNull(holder.getAnnotation(ConfigurationProperties.class))
                .value();
    }

    private static Snippet yaml(String code) {
        return new Snippet(Path.of("page.md"), 1, "yaml", code);
    }
}
