package io.idem.workshop.chaos.worker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A log file whose lines begin with the time in milliseconds. Unbuffered, so that SIGKILL loses no line. Several
 * processes may append to one file. Thread-safe.
 */
final class LineFile {

    private final OutputStream file;

    LineFile(Path path) {
        try {
            file = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("No lines can be written to " + path, e);
        }
    }

    void add(Object... words) {
        StringBuilder line = new StringBuilder().append(System.currentTimeMillis());
        for (Object word : words) {
            line.append(' ').append(word);
        }
        try {
            file.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("A line cannot be written", e);
        }
    }
}
