package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.core.ResolvableType;

/** Every setting has a description for editors and is listed in {@code docs/settings.md}. */
class ConfigurationReferenceTest {

    private static final Path PAGE = Pom.ROOT.resolve("docs/settings.md");
    private static final String WRITE = "configuration.write";

    private final Settings settings = new Settings();

    @Test
    void thePageListsEverySetting() throws IOException {
        String page = new ConfigurationReference(settings.all()).page();
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE))
                .as(
                        "docs/settings.md is older than the settings. Write it anew with: mvn -pl workshop/packaging-tests -am test"
                                + " -Dtest=ConfigurationReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -D"
                                + WRITE)
                .isEqualTo(page);
    }

    @Test
    void everySettingSaysWhatItIsInPlainText() {
        assertThat(settings.all())
                .hasSizeGreaterThan(150)
                .allSatisfy(setting -> assertThat(setting.description())
                        .as(setting.name())
                        .isNotBlank()
                        .doesNotContain("{@"));
    }

    @Test
    void everySettingSaysItsDefault() {
        assertThat(settings.all())
                .allSatisfy(setting -> assertThat(setting.defaultValue())
                        .as(setting.name())
                        .isNotBlank()
                        .doesNotContain("as described", "that, but"));
    }

    @Test
    void everySettingIsDeclaredOnce() {
        assertThat(settings.inMetadata()).map(Setting::name).doesNotHaveDuplicates();
    }

    @Test
    void whatEditorsOfferIsWhatMayBeSet() {
        Map<String, Setting> known =
                settings.all().stream().collect(Collectors.toMap(Setting::name, Function.identity()));

        assertThat(settings.hints()).isNotEmpty().allSatisfy(hint -> {
            Setting setting = known.get(hint.name().replaceFirst("\\.(keys|values)$", ""));
            assertThat(setting).as(hint.name()).isNotNull();
            Class<?> type = hint.name().endsWith(".keys")
                    ? ResolvableType.forType(setting.type()).getGeneric(0).toClass()
                    : Shape.of(setting.type()).element();
            if (type.isEnum()) {
                assertThat(hint.values()).as(hint.name()).containsExactlyElementsOf(Setting.spellings(type));
            }
        });
    }

    @Test
    void everyChoiceIsOffered() {
        List<String> hinted = settings.hints().stream().map(Settings.Hint::name).toList();

        assertThat(settings.inMetadata())
                .filteredOn(setting -> Shape.of(setting.type())
                                .equals(new Shape(
                                        Shape.Kind.ONE, Shape.of(setting.type()).element()))
                        && Shape.of(setting.type()).element().isEnum())
                .map(Setting::name)
                .isSubsetOf(hinted);
    }
}
