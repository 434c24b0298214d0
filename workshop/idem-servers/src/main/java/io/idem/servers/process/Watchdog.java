package io.idem.servers.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell script that outlives the JVM for a moment, to end its processes and remove its run directory.
 *
 * <p>The script waits for the end of a pipe that only this JVM holds open, so it needs no polling and also works after
 * {@code kill -9}.
 */
final class Watchdog {

    private static final String SCRIPT = "watchdog.sh";

    private final Process process;

    private Watchdog(Process process) {
        this.process = process;
    }

    /** Starts a watchdog that acts when this JVM ends. */
    static Watchdog over(Path runDirectory, Path scripts) throws IOException {
        List<String> command = new ArrayList<>();
        Programs.find("setsid").ifPresent(setsid -> command.add(setsid.toString()));
        command.addAll(
                List.of("sh", Resources.unpack(Watchdog.class, SCRIPT, scripts).toString()));
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().write((runDirectory + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return new Watchdog(process);
    }

    /** Makes the watchdog act now, as if the JVM had ended. */
    void release() throws IOException {
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.flush();
        }
    }
}
