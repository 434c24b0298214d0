package io.idem.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The names of all settings on the class path, Spring's among them, and the classes that hold ours. */
final class Metadata {

    private static final String ENTRY = "\\[[^\\]]*]";

    private final List<JsonNode> files = read();
    private final Set<String> ours = new Settings()
            .all().stream()
                    .map(setting -> setting.name().replaceAll("\\[]|\\.<[a-z-]+>", ".*"))
                    .collect(Collectors.toSet());
    private final Set<String> others =
            names("properties").filter(name -> !name.startsWith("idem.")).collect(Collectors.toSet());

    /** Of theirs, also the entries of those that are maps. */
    boolean knows(String name) {
        return name.startsWith("idem.")
                ? isOurs(name)
                : others.stream().anyMatch(setting -> name.equals(setting) || name.startsWith(setting + "."));
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
        String asked = name.replaceAll(ENTRY, ".*").replace("..", ".");
        return ours.stream().anyMatch(setting -> matches(setting.split("\\."), asked.split("\\.")));
    }

    /** Whatever an entry's name or number is; a list of plain values has no name for its entries. */
    private static boolean matches(String[] setting, String[] asked) {
        if (asked.length < setting.length || asked.length > setting.length + 1) {
            return false;
        }
        for (int i = 0; i < setting.length; i++) {
            if (!setting[i].equals("*") && !setting[i].equals(asked[i])) {
                return false;
            }
        }
        return asked.length == setting.length || asked[setting.length].equals("*");
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
