package io.idem.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The configuration metadata of all modules, and the elements of lists and maps, which metadata does not contain. */
final class Settings {

    private static final Pattern MODULE = Pattern.compile(".*/([a-z0-9-]+)/target/.*");
    private static final Pattern GENERIC = Pattern.compile("([^<]+)<(?:([^<>,]+),)?([^<>,]+)>");

    private final SettingsJavadoc javadoc = new SettingsJavadoc();

    /** Returns the settings that an editor offers. */
    List<Setting> inMetadata() {
        return metadata("properties")
                .map(entry -> setting(entry.module(), entry.json()))
                .toList();
    }

    /** Returns the settings that an editor offers and the elements of lists and maps. */
    List<Setting> all() {
        return inMetadata().stream()
                .flatMap(setting -> Stream.concat(Stream.of(setting), parts(setting)))
                .toList();
    }

    /** Returns the settings for which editors offer values, with those values. */
    List<Hint> hints() {
        return metadata("hints")
                .map(entry -> new Hint(
                        entry.json().get("name").asString(),
                        texts(entry.json().path("values"), "value"),
                        texts(entry.json().path("values"), "description")))
                .toList();
    }

    private static List<String> texts(JsonNode values, String field) {
        return values.valueStream()
                .map(value -> value.path(field).asString(""))
                .filter(text -> !text.isBlank())
                .toList();
    }

    /** Returns the types that settings are bound to, without nested types. */
    Set<Class<?>> roots() {
        return metadata("groups")
                .flatMap(entry -> Stream.of("type", "sourceType")
                        .map(field -> entry.json().path(field).asString("")))
                .filter(name -> !name.isEmpty())
                .<Class<?>>map(name -> ClassUtils.resolveClassName(name, null))
                .filter(type -> type.isAnnotationPresent(ConfigurationProperties.class))
                .collect(Collectors.toSet());
    }

    /**
     * The values and types that an editor offers for a setting.
     *
     * @param descriptions what the values mean, in their order
     */
    record Hint(String name, List<String> values, List<String> descriptions) {}

    private record Entry(String module, JsonNode json) {}

    private static Stream<Entry> metadata(String section) {
        try {
            return Collections.list(
                            Settings.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))
                    .stream()
                    .flatMap(resource -> entries(resource, section))
                    .filter(entry -> entry.json().get("name").asString().startsWith("idem."));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Entry> entries(URL resource, String section) {
        Matcher module = MODULE.matcher(resource.toString());
        String name = module.matches() ? module.group(1) : "";
        try (InputStream json = resource.openStream()) {
            JsonNode read = JsonMapper.shared().readTree(json).path(section);
            return StreamSupport.stream(read.spliterator(), false).map(entry -> new Entry(name, entry));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Setting setting(String module, JsonNode json) {
        JsonNode standard = json.path("defaultValue");
        String text = standard.isArray()
                ? String.join(
                        ", ", standard.valueStream().map(JsonNode::asString).toList())
                : standard.isMissingNode() ? null : standard.asString();
        return new Setting(
                module,
                json.get("name").asString(),
                type(json.path("type").asString()),
                text,
                json.path("description").asString("").replaceAll("\\s+", " "));
    }

    private static Type type(String name) {
        Matcher generic = GENERIC.matcher(name);
        return generic.matches()
                ? ResolvableType.forClassWithGenerics(
                                load(generic.group(1)),
                                Stream.of(generic.group(2), generic.group(3))
                                        .filter(Objects::nonNull)
                                        .map(Settings::load)
                                        .toArray(Class<?>[]::new))
                        .getType()
                : load(name);
    }

    private static Class<?> load(String name) {
        return ClassUtils.resolveClassName(name, Settings.class.getClassLoader());
    }

    private Stream<Setting> parts(Setting whole) {
        Shape shape = Shape.of(whole.type());
        if (!shape.element().isRecord()) {
            return Stream.empty();
        }
        return Arrays.stream(shape.element().getRecordComponents())
                .map(component -> part(whole, whole.name() + shape.kind().suffix, shape.element(), component))
                .flatMap(part -> Shape.of(part.type()).element().isRecord() ? parts(part) : Stream.of(part));
    }

    private Setting part(Setting whole, String prefix, Class<?> type, RecordComponent component) {
        return new Setting(
                whole.module(),
                prefix + "." + DataObjectPropertyName.toDashedForm(component.getName()),
                component.getGenericType(),
                standard(type, component),
                javadoc.description(whole.module(), type, component.getName()));
    }

    private static @Nullable String standard(Class<?> type, RecordComponent component) {
        return Arrays.stream(type.getDeclaredConstructors()[0].getParameters())
                .filter(parameter -> parameter.getName().equals(component.getName()))
                .map(parameter -> parameter.getAnnotation(DefaultValue.class))
                .filter(Objects::nonNull)
                .map(value -> String.join(", ", value.value()))
                .findFirst()
                .orElse(null);
    }
}
