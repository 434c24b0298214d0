package io.idem.packaging;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * A setting as an editor shows it.
 *
 * @param module the module that provides it
 * @param type the type as the settings class declares it
 * @param standard the default, if it is fixed
 */
record Setting(
        String module, String name, Type type, @Nullable String standard, String description) {

    private static final Pattern DESCRIBED_DEFAULT = Pattern.compile("(.+?)[;,:] (?:by )?default:? (.+)");

    private static final Map<String, String> WORDS = Map.of(
            Duration.class.getName(),
            "duration",
            DataSize.class.getName(),
            "size",
            "java.lang.Boolean",
            "`true`, `false`",
            "boolean",
            "`true`, `false`",
            "java.lang.Integer",
            "number",
            "int",
            "number",
            "java.lang.Double",
            "number",
            "java.lang.String",
            "text",
            "java.net.URI",
            "address",
            "java.nio.file.Path",
            "folder");

    /** Returns a description of the allowed values. */
    String values() {
        Shape shape = Shape.of(type);
        String one = one(shape.element());
        return switch (shape.kind()) {
            case LIST -> "list of " + one;
            case BY_NAME -> one + ", by name";
            case ONE -> one;
        };
    }

    private static String one(Class<?> element) {
        if (element.isRecord()) {
            return "what is below";
        }
        return element.isEnum() ? constants(element) : WORDS.getOrDefault(element.getName(), element.getSimpleName());
    }

    /** Returns the constants as they are written in a settings file. */
    static List<String> spellings(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant ->
                        ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
    }

    private static String constants(Class<?> type) {
        return spellings(type).stream().collect(Collectors.joining("`, `", "`", "`"));
    }

    /** Returns the default for readers; a default that is not fixed is taken from the end of the description. */
    String defaultValue() {
        if (standard != null && !standard.isEmpty()) {
            return "`" + standard + "`";
        }
        return describedDefault().orElse("none");
    }

    /** Returns the default as the end of the description tells it. */
    Optional<String> describedDefault() {
        Matcher described = DESCRIBED_DEFAULT.matcher(description);
        return described.matches() ? Optional.of(described.group(2)) : Optional.empty();
    }

    /** Returns the description without the default. */
    String meaning() {
        Matcher described = DESCRIBED_DEFAULT.matcher(description);
        return described.matches() ? described.group(1) : description;
    }
}
