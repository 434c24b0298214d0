package io.idem.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sources of all modules, compared without layout and line comments. */
final class CompiledCode {

    private static final Pattern COMMENT = Pattern.compile("(?m)(^|\\s)//.*$");

    /** The pattern for code that a snippet leaves out. */
    private static final String LEFT_OUT = ".{0,600}?";

    private final List<String> sources;

    private CompiledCode(List<String> sources) {
        this.sources = sources;
    }

    /** Returns the sources in this language of all modules. */
    static CompiledCode in(String language) {
        String ending = language.equals("kotlin") ? ".kt" : "." + language;
        return new CompiledCode(Pom.modules().stream()
                .flatMap(module -> Stream.of("main", "test")
                        .map(kind ->
                                module.folder().resolve("src").resolve(kind).resolve(language)))
                .filter(Files::isDirectory)
                .flatMap(folder -> read(folder, ending))
                .toList());
    }

    static CompiledCode of(String source) {
        return new CompiledCode(List.of(compact(source)));
    }

    /** Returns whether one file contains the snippet; an ellipsis stands for code that the snippet leaves out. */
    boolean has(String snippet) {
        Pattern parts = Pattern.compile(Arrays.stream(compact(snippet).split("…", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(LEFT_OUT)));
        return sources.stream().anyMatch(source -> parts.matcher(source).find());
    }

    private static Stream<String> read(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).map(CompiledCode::read).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return compact(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String compact(String code) {
        return COMMENT.matcher(code).replaceAll("").replaceAll("\\s+", "");
    }
}
