package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A process of a command in a folder, with its input and output. */
final class Shell implements AutoCloseable {

    private final Process process;
    private final Path output;

    private Shell(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static Shell type(String command, Path folder, Map<String, String> environment) throws IOException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        shell.environment().putAll(environment);
        return new Shell(shell.start(), output);
    }

    /** Waits until the process prints a text; fails if it ends without doing so. */
    void prints(String text, Duration longest) {
        await().atMost(longest).until(() -> printed().contains(text) || !process.isAlive());
        assertThat(printed()).contains(text);
    }

    /** Waits for the end of the process and returns its output. */
    String toItsEnd() throws InterruptedException {
        assertThat(process.waitFor()).as("exit code; it printed\n%s", printed()).isZero();
        return printed();
    }

    List<String> lines(String start) {
        return printed().lines().filter(line -> line.startsWith(start)).toList();
    }

    private String printed() {
        try {
            return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process and all processes that it started. */
    @Override
    public void close() {
        List<ProcessHandle> all = process.descendants().toList();
        process.destroy();
        all.forEach(ProcessHandle::destroy);
        await().atMost(Duration.ofMinutes(3)).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }
}
