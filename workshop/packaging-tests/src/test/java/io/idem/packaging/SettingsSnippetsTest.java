package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * The settings on README.md and on the pages under docs exist, and can be bound to the classes of idem and of Spring.
 */
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
    void everyValueOfSpringsIsTakenAndHasAPlace() {
        assertThat(metadata.holdersOfOthers()).hasSizeGreaterThan(50);
        assertThat(snippets)
                .allSatisfy(snippet ->
                        assertThat(leftOver(snippet)).as(snippet.toString()).isEmpty());
    }

    @Test
    void whatDoesNotExistOrIsNotTakenIsFound() {
        Snippet misspelt = yaml("idem.http.routes: [{paths: /v1/payments}]");
        Snippet wrong = yaml("idem.lease: soon");

        assertThat(SettingsFile.of(misspelt).names()).noneMatch(metadata::knows);
        assertThatThrownBy(() -> bind(wrong)).isInstanceOf(BindException.class);
    }

    @Test
    void whatSpringDoesNotHaveOrDoesNotTakeIsFound() {
        assertThat(Stream.of(
                        "spring.data.redis.hostname",
                        "spring.data.redis.host.name",
                        "spring.rabbitmq.publisher-confirms", // of an earlier version
                        "spring.security.oauth2.resourceserver.jwt.issuer",
                        "management.endpoints.web.exposed"))
                .noneMatch(metadata::knows);
        assertThat(leftOver(
                        yaml("spring.ssl.bundle.pem.shop: {keystore.certificat: shop.crt, reload-on-update: true}")))
                .containsExactly("spring.ssl.bundle.pem.shop.keystore.certificat");
        assertThatThrownBy(() -> leftOver(yaml("spring.rabbitmq.publisher-confirm-type: correlate")))
                .isInstanceOf(BindException.class);
    }

    private void bind(Snippet snippet) {
        SettingsFile file = SettingsFile.of(snippet);
        metadata.holders().forEach(holder -> file.bindTo(prefix(holder), holder));
    }

    private List<String> leftOver(Snippet snippet) {
        SettingsFile file = SettingsFile.of(snippet);
        return metadata.holdersOfOthers().stream()
                .filter(holder -> file.hasBelow(prefix(holder)))
                .flatMap(holder -> file.leftOver(prefix(holder), holder).stream())
                .filter(name -> !metadata.namesExactly(name)) // bound by another class
                .toList();
    }

    private static String prefix(Class<?> holder) {
        return MergedAnnotations.from(holder).get(ConfigurationProperties.class).getString("prefix");
    }

    private static Snippet yaml(String code) {
        return new Snippet(Path.of("page.md"), 1, "yaml", code);
    }
}
