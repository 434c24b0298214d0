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

/** The names of all settings on the class path, Spring's among them, and the classes that hold ours. */
final class Metadata {

    /** Of settings that have entries. */
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

    /** Also an entry of one that is a map or a list; not what is deprecated. */
    boolean knows(String name) {
        return name.startsWith("idem.")
                ? isOurs(name)
                : namesExactly(name)
                        || theirMaps.stream().anyMatch(map -> name.startsWith(map + ".") || name.startsWith(map + "["));
    }

    /** Whether it is one of Spring's, and no entry of one. */
    boolean namesExactly(String name) {
        return theirNames.contains(name);
    }

    /** Whether one of Spring's is called so or begins so; an asterisk stands for any part of a name. */
    boolean namesLike(String name) {
        Pattern pattern = Pattern.compile(name.replace(".", "\\.").replace("*", "[a-z0-9-]+") + "(?:\\..+)?");
        return theirNames.stream().anyMatch(pattern.asMatchPredicate());
    }

    /** The classes that hold our settings. */
    List<Class<?>> holders() {
        return holders(Metadata::isOfIdem);
    }

    /** The classes that hold Spring's. */
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
