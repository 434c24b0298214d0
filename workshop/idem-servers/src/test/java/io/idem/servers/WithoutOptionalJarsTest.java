package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that a module without the optional dependencies can still start servers. */
class WithoutOptionalJarsTest {

    @Test
    void serversAreChosenWithoutTestcontainersAndJunit() throws IOException {
        ProcessBuilder java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPathWithoutOptionalJars(),
                        Chooser.class.getName())
                .redirectErrorStream(true);
        java.environment().put(Environment.ORIGINS, "container,embedded");
        Process process = java.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(output).contains("Redis: EMBEDDED", "RabbitMQ: false");
    }

    private static String classPathWithoutOptionalJars() {
        String[] all = System.getProperty("java.class.path").split(File.pathSeparator);
        assertThat(all).anyMatch(path -> path.contains("testcontainers"));
        return Arrays.stream(all)
                .filter(path -> !path.contains("testcontainers") && !path.contains("junit"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Prints the server that was chosen. */
    static final class Chooser {
        public static void main(String[] arguments) {
            try (RunningRedis redis = RedisServers.start(ServerOptions.any())) {
                System.out.println("Redis: " + redis.origin());
            }
            System.out.println("RabbitMQ: " + AmqpServers.realRabbitMq().isPresent());
        }
    }
}
