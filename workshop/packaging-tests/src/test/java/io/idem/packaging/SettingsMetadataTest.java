package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionException;

/**
 * The metadata that editors read is complete: each setting has a description, a type and its default, and choices are
 * offered with what they mean.
 */
class SettingsMetadataTest {

    private final Settings settings = new Settings();

    @Test
    void everyClassWithSettingsIsInTheMetadata() {
        Set<String> classes = SourceFile.published().stream()
                .filter(source -> source.text().contains("\n@ConfigurationProperties("))
                .map(source -> source.packageName() + "." + source.type())
                .collect(Collectors.toSet());

        assertThat(classes).hasSizeGreaterThan(10);
        assertThat(settings.roots()).extracting(Class::getName).containsAll(classes);
    }

    @Test
    void everySettingIsDeclaredOnce() {
        assertThat(settings.inMetadata()).map(Setting::name).doesNotHaveDuplicates();
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
    void aDefaultThatIsAlwaysTheSameIsInTheMetadata() {
        List<Setting> always = settings.inMetadata().stream()
                .filter(setting -> describedValue(setting).isPresent())
                .toList();

        assertThat(always)
                .hasSizeGreaterThan(5)
                .allSatisfy(setting -> assertThat(
                                Optional.ofNullable(setting.standard()).flatMap(text -> value(setting, text)))
                        .as("%s: add its default to additional-spring-configuration-metadata.json", setting.name())
                        .isEqualTo(describedValue(setting)));
    }

    @Test
    void whatEditorsOfferIsWhatMayBeSet() {
        Map<String, Setting> known =
                settings.all().stream().collect(Collectors.toMap(Setting::name, Function.identity()));

        assertThat(settings.hints()).isNotEmpty().allSatisfy(hint -> {
            Setting setting = known.get(hint.name().replaceFirst("\\.(keys|values)$", ""));
            assertThat(setting).as(hint.name()).isNotNull();
            Class<?> type = hint.name().endsWith(".keys")
                    ? key(setting)
                    : Shape.of(setting.type()).element();
            if (type.isEnum()) {
                assertThat(hint.values()).as(hint.name()).containsExactlyElementsOf(Setting.spellings(type));
            }
            assertThat(hint.descriptions()).as(hint.name()).hasSameSizeAs(hint.values());
        });
    }

    @Test
    void everyChoiceIsOffered() {
        List<String> choices = settings.inMetadata().stream()
                .flatMap(SettingsMetadataTest::choices)
                .toList();

        assertThat(choices).hasSizeGreaterThan(15);
        assertThat(settings.hints()).map(Settings.Hint::name).containsAll(choices);
    }

    /** Returns the names of the hints for the choices of a setting: its values, and the names of a map. */
    private static Stream<String> choices(Setting setting) {
        Shape shape = Shape.of(setting.type());
        boolean map = shape.kind() == Shape.Kind.BY_NAME;
        return Stream.concat(
                shape.element().isEnum() ? Stream.of(setting.name() + (map ? ".values" : "")) : Stream.empty(),
                map && key(setting).isEnum() ? Stream.of(setting.name() + ".keys") : Stream.empty());
    }

    private static Class<?> key(Setting setting) {
        return ResolvableType.forType(setting.type()).getGeneric(0).toClass();
    }

    /** Returns the default that the description names, unless it is told in words. */
    private static Optional<Object> describedValue(Setting setting) {
        return setting.describedDefault().flatMap(text -> value(setting, text));
    }

    private static Optional<Object> value(Setting setting, String text) {
        Class<?> type = Shape.of(setting.type()).element();
        if (CharSequence.class.isAssignableFrom(type)) {
            return Optional.empty();
        }
        String written = text.replaceFirst("^(\\d+) (\\w+)$", "$1$2").replaceFirst("^(\\d+)min$", "$1m");
        try {
            return Optional.ofNullable(
                    ApplicationConversionService.getSharedInstance().convert(written, type));
        } catch (ConversionException told) {
            return Optional.empty();
        }
    }
}
