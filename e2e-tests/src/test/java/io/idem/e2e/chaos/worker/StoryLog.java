package io.idem.e2e.chaos.worker;

import io.idem.spi.Lease;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A line for each grant, renewal and completion, written when the store's answer is there: milliseconds, what, scope, key, fence,
 * process. Unbuffered, so that SIGKILL takes nothing back. Several processes may append to one file. Thread-safe.
 */
final class StoryLog {

    private final OutputStream file;

    StoryLog(Path path) {
        try {
            file = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("No log of stories in " + path, e);
        }
    }

    void add(String what, Lease lease) {
        String line = System.currentTimeMillis() + " " + what + " "
                + lease.record().scope().name() + " "
                + lease.record().key().value() + " " + lease.fence() + " "
                + ProcessHandle.current().pid() + "\n";
        try {
            file.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("An event cannot be logged", e);
        }
    }
}
