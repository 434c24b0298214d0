package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The code on README.md, llms.txt and the pages under docs is compiled code. A whole file is compiled unchanged. Every other
 * snippet is part of a source in some module: one that the tests of that module run, or one in {@code io.idem.examples}
 * of this module, in a class with the name of the page. An ellipsis stands for omitted code.
 */
class SnippetsTest {

    private static final Pattern DEPENDENCY =
            Pattern.compile("<groupId>io\\.idem</groupId>\\s*<artifactId>([\\w-]+)</artifactId>");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"java", "kotlin"})
    void everySnippetStandsInCompiledCode(String language) {
        CompiledCode sources = CompiledCode.in(language);

        assertThat(Snippet.all(language))
                .isNotEmpty()
                .allSatisfy(snippet -> assertThat(snippet.isWholeFile() || sources.has(snippet.code()))
                        .as("%s: put it into a class of io.idem.examples in packaging-tests", snippet)
                        .isTrue());
    }

    @Test
    void everyWholeFileCompilesAsItStands() {
        List<Snippet> files =
                Snippet.all("java").stream().filter(Snippet::isWholeFile).toList();

        assertThat(files)
                .hasSizeGreaterThan(2)
                .allSatisfy(
                        file -> assertThat(messages(file)).as(file.toString()).isEmpty());
    }

    @Test
    void everyJsonIsJson() {
        assertThat(Snippet.all("json"))
                .isNotEmpty()
                .allSatisfy(snippet -> assertThat(
                                JsonMapper.shared().readTree(snippet.code()).isContainer())
                        .as(snippet.toString())
                        .isTrue());
    }

    @Test
    void everyDependencyOfOursIsPublished() {
        List<String> published = Pom.published().stream().map(Pom::artifact).toList();
        List<String> named = Snippet.all("xml").stream()
                .flatMap(snippet -> DEPENDENCY.matcher(snippet.code()).results())
                .map(found -> found.group(1))
                .filter(name -> !name.equals("idem-bom"))
                .toList();

        assertThat(named).isNotEmpty().isSubsetOf(published);
    }

    @Test
    void codeThatStandsNowhereIsFound() {
        CompiledCode code = CompiledCode.of("class A { void pay(String text) { book(text); } } // \"void lose()\"");

        assertThat(code.has("void pay(String text) {\n    book(text); // once\n}"))
                .isTrue();
        assertThat(code.has("void pay(String text) { … }")).isTrue();
        assertThat(code.has("void pay(String text, int cents) { … }")).isFalse();
        assertThat(code.has("void lose()")).isFalse();
    }

    @Test
    void aBlockIsFoundWhereItStands() {
        String page = "# Title\n\n```java\nint a;\n```\n\n1. In a list:\n   ```yaml\n   a: 1\n   ```\n";

        assertThat(Snippet.on(Path.of("page.md"), page))
                .containsExactly(
                        new Snippet(Path.of("page.md"), 3, "java", "int a;\n"),
                        new Snippet(Path.of("page.md"), 8, "yaml", "   a: 1\n"));
    }

    /** Compiles a file and returns the messages of the compiler. */
    private String messages(Snippet file) {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        List<String> options = List.of(
                "-d", folder.toString(), "-parameters", "-proc:none", "-cp", System.getProperty("java.class.path"));
        StringWriter messages = new StringWriter();
        compiler.getTask(messages, null, null, options, null, List.of(source(file)))
                .call();
        return messages.toString();
    }

    private static JavaFileObject source(Snippet file) {
        String name = file.code().replaceFirst("(?s).*?\\b(?:class|record|interface) (\\w+).*", "$1");
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return file.code();
            }
        };
    }
}
