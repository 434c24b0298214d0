package io.idem.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A source of a published module.
 *
 * @param packageName the package, according to its folder
 * @param type the top-level type, according to the name of the file
 */
record SourceFile(String packageName, String type, String text) {

    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "(?m)^public (?:(?:sealed|non-sealed|final|abstract) )*(?:class|interface|record|enum|@interface) ");

    /** Returns all sources of the published modules, without {@code package-info}. */
    static List<SourceFile> published() {
        return in(Pom.published(), "src/main/java");
    }

    /** Returns all sources of all modules, tests included. */
    static List<SourceFile> ofAllModules() {
        return in(Pom.modules(), "src/main/java", "src/test/java");
    }

    private static List<SourceFile> in(List<Pom> modules, String... folders) {
        return modules.stream()
                .flatMap(module -> Stream.of(folders).map(module.folder()::resolve))
                .filter(Files::isDirectory)
                .flatMap(SourceFile::below)
                .toList();
    }

    private static Stream<SourceFile> below(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files
                    .filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                    .map(file -> of(sources.relativize(file).toString(), file))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SourceFile of(String relative, Path file) {
        String name =
                relative.substring(0, relative.length() - ".java".length()).replace('/', '.');
        int end = name.lastIndexOf('.');
        try {
            return new SourceFile(name.substring(0, end), name.substring(end + 1), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the type is part of the public API. */
    boolean isPublicApi() {
        return !List.of(packageName.split("\\.")).contains("internal")
                && !packageName.endsWith(".autoconfigure")
                && PUBLIC_TYPE.matcher(text).find();
    }

    /** Returns whether the type, or a nested one, declares a method of that name. */
    boolean declares(String method) {
        return Pattern.compile("(?m)^ {4,}(?:[\\w@<>?,.\\[\\] ]+ )" + Pattern.quote(method) + "\\(")
                .matcher(text)
                .find();
    }
}
