package io.idem.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The names of all settings on the class path, Spring's among them, and the classes that hold ours. */
final class Metadata {

    /** What these tests' class path does not have. */
    private static final List<String> ELSEWHERE = List.of("spring.security.", "management.");

    private final List<JsonNode> files = read();
    private final List<Setting> ours = new Settings().all();
    private final Set<String> others =
            names("properties").filter(name -> !name.startsWith("idem.")).collect(Collectors.toSet());

    boolean knows(String name) {
        return name.startsWith("idem.")
                ? isOurs(name)
                : ELSEWHERE.stream().anyMatch(name::startsWith) || isTheirs(name);
    }

    /** Also an entry of one that is a map or a list. */
    private boolean isTheirs(String name) {
        return others.stream()
                .anyMatch(setting ->
                        name.equals(setting) || name.startsWith(setting + ".") || name.startsWith(setting + "["));
    }

    List<Class<?>> holders() {
        return files.stream()
                .flatMap(file -> file.path("groups").valueStream())
                .filter(group -> group.get("name").asString().startsWith("idem") && !group.has("sourceMethod"))
                .<Class<?>>map(group ->
                        ClassUtils.resolveClassName(group.get("type").asString(), Metadata.class.getClassLoader()))
                .filter(type -> type.isAnnotationPresent(ConfigurationProperties.class))
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

    private Stream<String> names(String section) {
        return files.stream()
                .flatMap(file -> file.path(section).valueStream())
                .map(entry -> entry.get("name").asString());
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
