package io.idem.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * The settings below {@code idem} that do not do what they seem to: those that no module on the class path has in its
 * configuration metadata, and durations and sizes without a unit.
 */
final class UnknownSettings {

    private static final Logger LOG = LoggerFactory.getLogger(UnknownSettings.class);
    private static final ConfigurationPropertyName ALL = ConfigurationPropertyName.of("idem");
    private static final String METADATA = "classpath*:META-INF/spring-configuration-metadata.json";
    private static final Pattern PROPERTY = Pattern.compile("\"name\": \"(idem\\.[^\"]+)\",\\s+\"type\": \"([^\"]+)\"");

    private static final Pattern BARE = Pattern.compile(".+=[1-9]\\d*");
    private static final Map<Class<?>, String> VALUES_WITH_UNITS = Map.of(
            Duration.class,
            "Durations without a unit count milliseconds: {}. Write the unit, as in 500ms, 30s or 24h",
            DataSize.class,
            "Sizes without a unit count bytes: {}. Write the unit, as in 512B, 64KB or 1MB");

    private UnknownSettings() {}

    /** Warns once of all of them. Unknown environment variables are left out: they may belong to other programs. */
    static void warn(Environment environment) {
        List<ConfigurationPropertyName> set = set(environment, true);
        // In a native image and in a shaded jar there is no metadata.
        List<Known> known = set.isEmpty() ? List.of() : known();
        Binder values = Binder.get(environment);
        VALUES_WITH_UNITS.forEach((type, warning) -> {
            String bare = set.stream()
                    .filter(name -> at(name, known).contains(new Setting(name, type)))
                    .map(name -> name + "=" + values.bind(name, Bindable.of(String.class)).orElse(""))
                    .filter(text -> BARE.matcher(text).matches())
                    .collect(Collectors.joining(", "));
            if (!bare.isEmpty()) {
                LOG.warn(warning, bare);
            }
        });
        String unknown = set(environment, false).stream()
                .filter(name -> !known.isEmpty()
                        && at(name, known).stream().noneMatch(one -> one.name().equals(name)))
                .map(name -> name + " (nearest: " + nearest(name, known) + ")")
                .collect(Collectors.joining(", "));
        if (!unknown.isEmpty()) {
            String brackets = ". The name of a scope with dots is written in brackets, as in idem.scopes[http.shop]";
            LOG.warn(
                    "idem does not know these settings, which have no effect: {}{}",
                    unknown,
                    unknown.contains("idem.scopes.") ? brackets : "");
        }
    }

    private static List<ConfigurationPropertyName> set(Environment environment, boolean variablesToo) {
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .filter(source ->
                        variablesToo || !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource))
                .filter(IterableConfigurationPropertySource.class::isInstance)
                .flatMap(source -> ((IterableConfigurationPropertySource) source).stream())
                .filter(ALL::isAncestorOf)
                .distinct()
                .sorted()
                .toList();
    }

    private static List<Known> known() {
        List<Known> known = new ArrayList<>();
        try {
            Resource[] files = new PathMatchingResourcePatternResolver().getResources(METADATA);
            // A jar into which others were merged keeps the file of one of them.
            for (Resource file : files.length > 1 ? files : new Resource[0]) {
                Matcher property = PROPERTY.matcher(file.getContentAsString(StandardCharsets.UTF_8));
                while (property.find()) {
                    known.add(new Known(ConfigurationPropertyName.of(property.group(1)), typeOf(property.group(2))));
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return known;
    }

    /** Returns the type of a list or map; of others a type below which there are no settings. */
    private static ResolvableType typeOf(String text) {
        int open = text.indexOf('<');
        if (open < 0) {
            return ResolvableType.forClass(VALUES_WITH_UNITS.keySet().stream()
                    .filter(type -> type.getName().equals(text))
                    .findFirst()
                    .orElse(String.class));
        }
        try {
            String parts = text.substring(open + 1, text.length() - 1);
            Class<?>[] classes = Stream.of(StringUtils.commaDelimitedListToStringArray(parts))
                    .map(part -> ClassUtils.resolveClassName(part.strip(), null))
                    .toArray(Class<?>[]::new);
            return ResolvableType.forClassWithGenerics(
                    ClassUtils.resolveClassName(text.substring(0, open), null), classes);
        } catch (IllegalArgumentException | IllegalStateException notHere) {
            return ResolvableType.forClass(Object.class);
        }
    }

    /** Returns the known settings, with the keys and numbers of {@code name} in those of maps and lists. */
    private static List<Setting> at(ConfigurationPropertyName name, List<Known> known) {
        return known.stream().flatMap(one -> one.settings(name)).toList();
    }

    private static ConfigurationPropertyName nearest(ConfigurationPropertyName name, List<Known> known) {
        return at(name, known).stream()
                .map(Setting::name)
                // The metadata names groups of settings, too.
                .filter(one -> known.stream().noneMatch(other -> one.isAncestorOf(other.name())))
                .min(Comparator.comparing(one -> difference(one, name)))
                .orElseThrow();
    }

    /** Returns how many pairs of neighbouring letters two names do not share. */
    private static int difference(ConfigurationPropertyName one, ConfigurationPropertyName other) {
        Set<String> own = pairs(one);
        Set<String> others = pairs(other);
        long shared = own.stream().filter(others::contains).count();
        return own.size() + others.size() - 2 * Math.toIntExact(shared);
    }

    private static Set<String> pairs(ConfigurationPropertyName name) {
        String text = name.toString();
        return IntStream.range(1, text.length())
                .mapToObj(end -> text.substring(end - 1, end + 1))
                .collect(Collectors.toSet());
    }

    /** A setting with a value of this type. */
    private record Setting(ConfigurationPropertyName name, Class<?> type) {}

    /**
     * A setting of the metadata.
     *
     * @param type the type of its value; below a list or a map there are names or numbers of one's own
     */
    private record Known(ConfigurationPropertyName name, ResolvableType type) {

        /**
         * Returns this setting, or those below it, with the keys that another name has there. It may have other parts in
         * front of the last part of this name.
         */
        Stream<Setting> settings(ConfigurationPropertyName other) {
            int length = name.getNumberOfElements();
            int parts = other.getNumberOfElements();
            int behind = IntStream.range(name.isAncestorOf(other) ? parts : length, parts)
                    .filter(at -> other.getElement(at, Form.UNIFORM).equals(name.getLastElement(Form.UNIFORM)))
                    .map(at -> at + 1)
                    .findFirst()
                    .orElse(Math.min(length, parts));
            return settings(name, type, other.subName(behind));
        }

        private static Stream<Setting> settings(
                ConfigurationPropertyName at, ResolvableType of, ConfigurationPropertyName keys) {
            Class<?> type = of.toClass();
            ConfigurationPropertyName rest = keys.isEmpty() ? keys : keys.subName(1);
            if (type.isRecord()) {
                return Arrays.stream(type.getRecordComponents())
                        .flatMap(part -> settings(
                                at.append(DataObjectPropertyName.toDashedForm(part.getName())),
                                ResolvableType.forType(part.getGenericType()),
                                rest));
            }
            if (Map.class.isAssignableFrom(type) && !keys.isEmpty()) {
                ResolvableType value = of.getGeneric(1);
                return value.toClass().isRecord()
                        ? settings(at.append(keys.chop(1)), value, rest)
                        : Stream.of(new Setting(at.append(keys), value.toClass()));
            }
            if (Collection.class.isAssignableFrom(type) && !keys.isEmpty()) {
                String number = keys.isNumericIndex(0) ? keys.getElement(0, Form.UNIFORM) : "0";
                return Stream.concat(
                        Stream.of(new Setting(at, type)),
                        settings(at.append("[" + number + "]"), of.getGeneric(0), rest));
            }
            return Stream.of(new Setting(type == Object.class ? at.append(keys) : at, type));
        }
    }
}
