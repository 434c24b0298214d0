package io.idem.packaging.aot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.servers.process.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor;

/**
 * An application after ahead-of-time processing by the build of Spring Boot, compiled and started in its own process.
 * The program starts like a native image, but on a JVM.
 *
 * @param directory the directory for generated files
 * @param settings the settings during processing and at run time
 */
record ProcessedProgram(Class<?> application, Path directory, List<String> settings) {

    /** A setting that turns off the data source, because the class path contains drivers of databases. */
    static final String WITHOUT_DATABASE =
            "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    /** Runs the program and returns its output. */
    String run() throws IOException, InterruptedException {
        new SpringApplicationAotProcessor(
                        application,
                        AbstractAotProcessor.Settings.builder()
                                .sourceOutput(folder("sources"))
                                .resourceOutput(folder("resources"))
                                .classOutput(folder("classes"))
                                .groupId("io.idem")
                                .artifactId("processed")
                                .build(),
                        settings.toArray(String[]::new))
                .process();
        compile();
        return output();
    }

    private Path folder(String name) {
        return directory.resolve(name);
    }

    private void compile() throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-nowarn",
                "-cp",
                classPath(),
                "-d",
                folder("classes").toString()));
        try (Stream<Path> sources = Files.walk(folder("sources"))) {
            sources.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(arguments::add);
        }
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(result).as("exit code of the compiler").isZero();
    }

    private String classPath() {
        return String.join(
                File.pathSeparator,
                folder("classes").toString(),
                folder("resources").toString(),
                System.getProperty("java.class.path"));
    }

    private String output() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dspring.aot.enabled=true",
                "-cp",
                classPath(),
                application.getName()));
        command.addAll(settings);
        Path output = folder("output");
        Process program = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(program.waitFor(ChildJvm.LONGEST_START.toMinutes(), TimeUnit.MINUTES))
                    .as("it ended")
                    .isTrue();
        } finally {
            program.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }
}
