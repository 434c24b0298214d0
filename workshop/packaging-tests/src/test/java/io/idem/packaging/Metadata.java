package io.idem.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The names of all settings on the class path, including those of Spring, and the classes that hold them. */
final class Metadata {

    /** The types of settings that have entries. */
    private static final Pattern MANIFOLD =
            Pattern.compile("java\\.util\\.(?:Map|List|Set|Collection|Properties).*|.*\\[]");

    private final List<JsonNode> files = read();
    private final List<Setting> ours = new Settings().all();
    private final List<JsonNode> theirs = entries("properties")
            .filter(setting -> !isOfIdem(setting) && !setting.has("deprecation"))
            .toList();
    private final Set<String> theirNames = theirs.stream().map(Metadata::name).collect(Collectors.toUnmodifiableSet());
    private final List<String> theirMaps = theirs.stream()
            .filter(setting ->
                    MANIFOLD.matcher(setting.path("type").asString("")).matches())
            .map(Metadata::name)
            .toList();

    /** Returns whether this is a setting, or an entry of a map or list; deprecated settings do not count. */
    boolean knows(String name) {
        return name.startsWith("idem.")
                ? isOurs(name)
                : namesExactly(name)
                        || theirMaps.stream().anyMatch(map -> name.startsWith(map + ".") || name.startsWith(map + "["));
    }

    /** Returns whether this is a setting of Spring, entries of maps and lists excluded. */
    boolean namesExactly(String name) {
        return theirNames.contains(name);
    }

    /** Returns whether this is a setting of Spring or a prefix of one; an asterisk stands for any part of a name. */
    boolean namesLike(String name) {
        Pattern pattern = Pattern.compile(name.replace(".", "\\.").replace("*", "[a-z0-9-]+") + "(?:\\..+)?");
        return theirNames.stream().anyMatch(pattern.asMatchPredicate());
    }

    /** Returns the classes that hold the settings of idem. */
    List<Class<?>> holders() {
        return holders(Metadata::isOfIdem);
    }

    /** Returns the classes that hold the settings of Spring. */
    List<Class<?>> holdersOfOthers() {
        return holders(group -> !isOfIdem(group));
    }

    private List<Class<?>> holders(Predicate<JsonNode> which) {
        return entries("groups")
                .filter(group -> which.test(group) && !group.has("sourceMethod"))
                .<Class<?>>map(group ->
                        ClassUtils.resolveClassName(group.get("type").asString(), Metadata.class.getClassLoader()))
                .filter(type -> type.isAnnotationPresent(ConfigurationProperties.class))
                .distinct()
                .toList();
    }

    private boolean isOurs(String name) {
        List<String> asked = words(name.replaceAll("\\[[^\\]]*]", ".*"));
        return ours.stream().anyMatch(setting -> isOf(setting, asked));
    }

    private static boolean isOf(Setting setting, List<String> asked) {
        List<String> words = words(setting.name().replaceAll("\\[]|\\.<[a-z-]+>", ".*"));
        boolean entry = asked.size() == words.size() + 1 && hasEntry(setting, asked.get(words.size()));
        return (entry || asked.size() == words.size())
                && IntStream.range(0, words.size())
                        .allMatch(i -> words.get(i).equals("*") || words.get(i).equals(asked.get(i)));
    }

    private static boolean hasEntry(Setting setting, String entry) {
        return switch (Shape.of(setting.type()).kind()) {
            case LIST -> entry.equals("*");
            case BY_NAME -> true;
            case ONE -> false;
        };
    }

    private static List<String> words(String name) {
        return List.of(name.split("\\.", -1));
    }

    private Stream<JsonNode> entries(String section) {
        return files.stream().flatMap(file -> file.path(section).valueStream());
    }

    private static String name(JsonNode entry) {
        return entry.get("name").asString();
    }

    private static boolean isOfIdem(JsonNode entry) {
        return name(entry).matches("idem(\\..*)?");
    }

    private static List<JsonNode> read() {
        try {
            return Collections.list(
                            Metadata.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))
                    .stream()
                    .map(Metadata::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode read(URL file) {
        try (InputStream json = file.openStream()) {
            return JsonMapper.shared().readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
