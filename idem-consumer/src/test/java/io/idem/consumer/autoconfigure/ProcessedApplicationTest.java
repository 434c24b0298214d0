package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor;

/**
 * What Spring Boot's build makes of an application ahead of time is compiled and started in a process of its own, as a native
 * image would be, but on a JVM. Takes a JVM's start and a compiler's: not for every build.
 */
@Tag("extended")
class ProcessedApplicationTest {

    @TempDir
    private Path directory;

    private Path folder(String name) {
        return directory.resolve(name);
    }

    @Test
    void anApplicationProcessedAheadOfTimeStartsAndIsProtected() throws Exception {
        new SpringApplicationAotProcessor(
                        ProcessedShop.class,
                        AbstractAotProcessor.Settings.builder()
                                .sourceOutput(folder("sources"))
                                .resourceOutput(folder("resources"))
                                .classOutput(folder("classes"))
                                .groupId("io.idem")
                                .artifactId("shop")
                                .build(),
                        new String[0])
                .process();
        compile();

        String output = run();

        assertThat(output).contains("Starting AOT-processed ProcessedShop");
        assertThat(output)
                .contains(ProcessedShop.HANDLED
                        + "[payment first first, payment last last, receipt first, receipt last]");
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

    private String run() throws IOException, InterruptedException {
        RunningAmqp rabbit = SharedServers.amqp();
        Path output = folder("output");
        Process shop = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dspring.aot.enabled=true",
                        "-cp",
                        classPath(),
                        ProcessedShop.class.getName(),
                        "--shop.name=shop-" + UUID.randomUUID(),
                        "--spring.rabbitmq.host=" + rabbit.host(),
                        "--spring.rabbitmq.port=" + rabbit.port(),
                        "--spring.rabbitmq.username=" + rabbit.username(),
                        "--spring.rabbitmq.password=" + rabbit.password(),
                        "--spring.rabbitmq.virtual-host=" + rabbit.virtualHost(),
                        "--spring.kafka.bootstrap-servers="
                                + SharedServers.kafka().bootstrapServers(),
                        "--spring.kafka.consumer.auto-offset-reset=earliest")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(shop.waitFor(2, TimeUnit.MINUTES)).as("it ended").isTrue();
        } finally {
            shop.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }
}
