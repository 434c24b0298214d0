package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.OperationStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.util.ClassUtils;

/** A native image includes everything that the modules look up by name at run time. */
class RuntimeHintsTest {

    private static final RuntimeHints HINTS = new RuntimeHints();

    static {
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .forEach(registrar -> registrar.registerHints(HINTS, RuntimeHintsTest.class.getClassLoader()));
    }

    /** The resources that idem looks up; files for editors and for the start of Spring are elsewhere. */
    private static final Pattern LOOKED_UP = Pattern.compile("META-INF/(idem|resources)/.*");

    /** The names of classes in sources that check whether these are present. */
    private static final Pattern CLASS = Pattern.compile("\"((?:org|com|reactor)\\.[\\w.]+\\.[A-Z]\\w+)\"");

    @Test
    void scriptsAndPagesAreKept() {
        List<String> resources = Pom.published().stream()
                .flatMap(module -> files(module.folder().resolve("src/main/resources")))
                .filter(LOOKED_UP.asMatchPredicate())
                .toList();

        assertThat(resources).hasSizeGreaterThan(3).allSatisfy(RuntimeHintsTest::assertResourceIsKept);
        assertThat(files(Pom.ROOT.resolve("lua")).filter(file -> file.endsWith(".lua")))
                .isNotEmpty()
                .allSatisfy(script -> assertResourceIsKept("META-INF/idem/lua/" + script));
    }

    private static void assertResourceIsKept(String resource) {
        assertThat(RuntimeHintsPredicates.resource().forResource(resource).test(HINTS))
                .as(resource)
                .isTrue();
    }

    @Test
    void librariesThatAreAskedForAreFound() {
        List<String> sources = Pom.published().stream()
                .map(module -> module.folder().resolve("src/main/java"))
                .flatMap(folder -> files(folder).map(file -> read(folder.resolve(file))))
                .filter(source -> source.contains("ClassUtils.isPresent(") && !source.contains("RuntimeHintsRegistrar"))
                .toList();

        assertThat(sources.stream()
                        .flatMap(source -> CLASS.matcher(source).results())
                        .map(name -> name.group(1))
                        .filter(name -> ClassUtils.isPresent(name, null)))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(RuntimeHintsPredicates.reflection()
                                .onType(TypeReference.of(name))
                                .test(HINTS))
                        .as(name)
                        .isTrue());
    }

    @Test
    void theStatusOfAnOperationCanBeWritten() {
        assertThat(Stream.of(OperationStatus.class, OperationStatus.Participant.class)
                        .flatMap(type -> Stream.of(type.getRecordComponents()))
                        .map(RecordComponent::getAccessor))
                .isNotEmpty()
                .allSatisfy(accessor -> assertThat(RuntimeHintsPredicates.reflection()
                                .onMethodInvocation(accessor)
                                .test(HINTS))
                        .as(accessor.toString())
                        .isTrue());
    }

    /** Checks the nested records, because ahead-of-time processing finds only those in the types of beans. */
    @Test
    void settingsCanBeBoundAlsoInsideOfListsAndMaps() {
        Set<Class<?>> roots = new Settings().roots();
        RuntimeHints bound = new RuntimeHints();
        BindableRuntimeHintsRegistrar.forTypes(roots).registerHints(bound);

        assertThat(roots.stream().flatMap(root -> SettingTypes.of(root).stream()))
                .hasSizeGreaterThan(30)
                .allSatisfy(type -> assertThat(Arrays.stream(type.getDeclaredConstructors())
                                .filter(constructor -> RuntimeHintsPredicates.reflection()
                                        .onConstructorInvocation(constructor)
                                        .test(bound)))
                        .as(type.getName())
                        .isNotEmpty());
    }

    private static Stream<String> files(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files
                    .filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                    .toList()
                    .stream();
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
