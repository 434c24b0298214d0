package io.idem.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** The settings below {@code idem} that no module on the class path has in its configuration metadata. */
final class UnknownSettings {

    private static final Logger LOG = LoggerFactory.getLogger(UnknownSettings.class);
    private static final ConfigurationPropertyName ALL = ConfigurationPropertyName.of("idem");
    private static final String METADATA = "classpath*:META-INF/spring-configuration-metadata.json";
    private static final Pattern PROPERTY = Pattern.compile("\"name\": \"(idem\\.[^\"]+)\",\\s+\"type\": \"([^\"]+)\"");

    private UnknownSettings() {}

    /** Warns once of all of them, except environment variables, which may belong to other programs. */
    static void warn(Environment environment) {
        List<ConfigurationPropertyName> set = set(environment);
        // In a native image there is no metadata.
        List<Known> known = set.isEmpty() ? List.of() : known();
        String unknown = set.stream()
                .filter(name -> !known.isEmpty() && known.stream().noneMatch(one -> one.isOf(name)))
                .map(name -> name + " (nearest: " + nearest(name, known) + ")")
                .collect(Collectors.joining(", "));
        if (!unknown.isEmpty()) {
            LOG.warn("idem does not know these settings, which have no effect: {}", unknown);
        }
    }

    private static List<ConfigurationPropertyName> set(Environment environment) {
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .filter(source -> !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource))
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
                    known.add(new Known(
                            ConfigurationPropertyName.of(property.group(1)),
                            property.group(2).contains("<")));
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return known;
    }

    private static ConfigurationPropertyName nearest(ConfigurationPropertyName name, List<Known> known) {
        return known.stream()
                .min(Comparator.comparing(one -> one.differenceTo(name)))
                .orElseThrow()
                .name();
    }

    /**
     * A setting of the metadata.
     *
     * @param isOpen whether names or numbers of one's own follow its name
     */
    private record Known(ConfigurationPropertyName name, boolean isOpen) {

        boolean isOf(ConfigurationPropertyName other) {
            return name.equals(other) || (isOpen && name.isAncestorOf(other));
        }

        /** Returns how many pairs of neighbouring letters two names do not share. */
        int differenceTo(ConfigurationPropertyName other) {
            Set<String> own = pairs(name);
            Set<String> others = pairs(isOpen ? other.chop(name.getNumberOfElements()) : other);
            long shared = own.stream().filter(others::contains).count();
            return own.size() + others.size() - 2 * Math.toIntExact(shared);
        }

        private static Set<String> pairs(ConfigurationPropertyName name) {
            String text = name.toString();
            return IntStream.range(1, text.length())
                    .mapToObj(end -> text.substring(end - 1, end + 1))
                    .collect(Collectors.toSet());
        }
    }
}
