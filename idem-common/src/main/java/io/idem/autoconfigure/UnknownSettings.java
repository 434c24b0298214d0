package io.idem.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
        // In a native image there is no metadata.
        List<Known> known = set.isEmpty() ? List.of() : known();
        VALUES_WITH_UNITS.forEach((type, warning) -> {
            String bare = set.stream()
                    .filter(name -> known.stream().anyMatch(one -> one.isOf(type, name)))
                    .map(name -> name + "=" + value(environment, name))
                    .filter(text -> BARE.matcher(text).matches())
                    .collect(Collectors.joining(", "));
            if (!bare.isEmpty()) {
                LOG.warn(warning, bare);
            }
        });
        String unknown = set(environment, false).stream()
                .filter(name -> !known.isEmpty() && known.stream().noneMatch(one -> one.isOf(name)))
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

    private static String value(Environment environment, ConfigurationPropertyName name) {
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .flatMap(source -> Stream.ofNullable(source.getConfigurationProperty(name)))
                .findFirst()
                .map(set -> environment.resolvePlaceholders(String.valueOf(set.getValue())))
                .orElse("");
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
            for (Resource file : new PathMatchingResourcePatternResolver().getResources(METADATA)) {
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

    private static ConfigurationPropertyName nearest(ConfigurationPropertyName name, List<Known> known) {
        return known.stream()
                .flatMap(one -> one.near(name))
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

    /**
     * A setting of the metadata.
     *
     * @param type the type of its value; below a list or a map there are names or numbers of one's own
     */
    private record Known(ConfigurationPropertyName name, ResolvableType type) {

        boolean isOf(ConfigurationPropertyName other) {
            return at(other).isPresent();
        }

        boolean isOf(Class<?> wanted, ConfigurationPropertyName other) {
            return at(other).filter(found -> found.toClass() == wanted).isPresent();
        }

        /** Returns the type of the setting of a name that is this one or below it; empty if there is none. */
        private Optional<ResolvableType> at(ConfigurationPropertyName other) {
            return name.equals(other) || name.isAncestorOf(other)
                    ? below(type, other.subName(name.getNumberOfElements()))
                    : Optional.empty();
        }

        private static Optional<ResolvableType> below(ResolvableType of, ConfigurationPropertyName rest) {
            Class<?> type = of.toClass();
            if (rest.isEmpty() || type == Object.class) {
                return Optional.of(of);
            }
            if (Map.class.isAssignableFrom(type)) {
                ResolvableType value = of.getGeneric(1);
                return value.toClass().isRecord() ? below(value, rest.subName(1)) : Optional.of(value);
            }
            if (Collection.class.isAssignableFrom(type)) {
                return rest.isNumericIndex(0) ? below(of.getGeneric(0), rest.subName(1)) : Optional.empty();
            }
            return component(type, rest.getElement(0, Form.UNIFORM)).flatMap(part -> below(part, rest.subName(1)));
        }

        private static Optional<ResolvableType> component(Class<?> type, String name) {
            return components(type)
                    .filter(part -> part.getName().equalsIgnoreCase(name))
                    .map(part -> ResolvableType.forType(part.getGenericType()))
                    .findFirst();
        }

        private static Stream<RecordComponent> components(Class<?> type) {
            return type.isRecord() ? Arrays.stream(type.getRecordComponents()) : Stream.empty();
        }

        /**
         * Returns the names with a value that may have been meant by an unknown one: those beside its first wrong part. Parts
         * that it has in front of the last part of this name are left out.
         */
        Stream<ConfigurationPropertyName> near(ConfigurationPropertyName other) {
            int length = name.getNumberOfElements();
            int parts = other.getNumberOfElements();
            int behind = IntStream.range(length, parts)
                    .filter(at -> other.getElement(at, Form.UNIFORM).equals(name.getLastElement(Form.UNIFORM)))
                    .map(at -> at + 1)
                    .findFirst()
                    .orElse(length);
            return near(type, behind < parts ? name.append(other.subName(behind)) : name, length);
        }

        private static Stream<ConfigurationPropertyName> near(
                ResolvableType of, ConfigurationPropertyName other, int known) {
            ConfigurationPropertyName right = other.chop(known);
            boolean goesOn = known < other.getNumberOfElements();
            Class<?> type = of.toClass();
            if (type.isRecord()) {
                Optional<ResolvableType> part =
                        goesOn ? component(type, other.getElement(known, Form.UNIFORM)) : Optional.empty();
                return part.map(found -> near(found, other, known + 1))
                        .orElseGet(() -> components(type).flatMap(each -> {
                            String dashed = DataObjectPropertyName.toDashedForm(each.getName());
                            return near(ResolvableType.forType(each.getGenericType()), right.append(dashed), known + 1);
                        }));
            }
            if (goesOn && Map.class.isAssignableFrom(type)) {
                return near(of.getGeneric(1), other, known + 1);
            }
            if (goesOn && Collection.class.isAssignableFrom(type)) {
                return other.isNumericIndex(known)
                        ? near(of.getGeneric(0), other, known + 1)
                        : Stream.of(right.append("[0]"));
            }
            return Stream.of(right);
        }
    }
}
