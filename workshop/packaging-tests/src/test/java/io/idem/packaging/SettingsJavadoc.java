package io.idem.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The Javadoc of the components of settings records, read from the sources: metadata contains only part of it. */
final class SettingsJavadoc {

    private static final Pattern PARAMETER =
            Pattern.compile("@param (\\w+) ((?:(?!\\*/|@param)[\\s\\S])*)", Pattern.MULTILINE);

    private final Map<Class<?>, Map<String, String>> read = new HashMap<>();

    /** Returns the description of a component; empty if there is none. */
    String description(String module, Class<?> type, String component) {
        return read.computeIfAbsent(type, settings -> parameters(module, settings))
                .getOrDefault(component, "");
    }

    private static Map<String, String> parameters(String module, Class<?> type) {
        Map<String, String> found = new HashMap<>();
        PARAMETER
                .matcher(comment(source(module, type), type.getSimpleName()))
                .results()
                .forEach(parameter -> found.put(parameter.group(1), plain(parameter.group(2))));
        return found;
    }

    private static String plain(String text) {
        return text.replaceAll("\n\\s*\\*", " ").replaceAll("\\s+", " ").strip();
    }

    private static String comment(String source, String type) {
        return Pattern.compile("/\\*\\*((?:(?!\\*/)[\\s\\S])*\\*/)\\s*(?:public )?record " + type + "\\(")
                .matcher(source)
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElse("");
    }

    private static String source(String module, Class<?> type) {
        Path file = Pom.ROOT
                .resolve(module)
                .resolve("src/main/java")
                .resolve(type.getName().replaceAll("\\$.*", "").replace('.', '/') + ".java");
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
