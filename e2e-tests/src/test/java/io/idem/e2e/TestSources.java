package io.idem.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sources of all modules, for documents that name tests. */
final class TestSources {

    static final Path ROOT = Path.of("..");

    private static final Pattern TEST_METHOD = Pattern.compile(
            "(?:@(?:Parameterized|Repeated)?Test\\b(?:(?!\\bvoid\\b)[\\s\\S])*?\\bvoid |\\bfinal Rule )(\\w+)");

    private static final Pattern EXTENDED_CLASS = Pattern.compile("(?m)^@Tag\\(\"extended\"\\)");

    private final Map<String, String> sources = read();

    /** Returns whether a class of that simple name declares or inherits such a test method or rule of a contract. */
    boolean isTest(String type, String method) {
        return declares(type, method)
                || Pattern.compile("class " + type + " extends (\\w+)")
                        .matcher(sources.getOrDefault(type, ""))
                        .results()
                        .anyMatch(parent -> isTest(parent.group(1), method));
    }

    private boolean declares(String type, String method) {
        return Pattern.compile("@(?:Parameterized)?Test\\b(?:(?!\\bvoid\\b)[\\s\\S])*?\\bvoid " + method
                        + "\\(|\\bfinal Rule " + method + " =")
                .matcher(sources.getOrDefault(type, ""))
                .find();
    }

    /** Returns whether only the profile extended runs a test: its class or the method has that tag. */
    boolean isExtended(String type, String method) {
        String source = sources.getOrDefault(type, "");
        return EXTENDED_CLASS.matcher(source).find()
                || Pattern.compile("@Tag\\(\"extended\"\\)(?:(?!\\bvoid\\b|\\n\\n)[\\s\\S])*?\\bvoid " + method + "\\(")
                        .matcher(source)
                        .find();
    }

    /** Returns the names of all test methods. */
    List<String> tests() {
        return sources.values().stream()
                .flatMap(source -> TEST_METHOD.matcher(source).results())
                .map(test -> test.group(1))
                .toList();
    }

    /** Returns whether there is a class of that simple name. */
    boolean isClass(String type) {
        return sources.containsKey(type);
    }

    static String document(String name) {
        return read(ROOT.resolve("docs").resolve(name));
    }

    private static Map<String, String> read() {
        try (Stream<Path> modules = Files.list(ROOT);
                Stream<Path> workshop = Files.list(ROOT.resolve("workshop"))) {
            return Stream.concat(modules, workshop)
                    .map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(TestSources::javaFiles)
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            TestSources::read,
                            String::concat));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> javaFiles(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
