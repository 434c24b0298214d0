package io.idem.e2e.chaos.worker;

import io.idem.spi.Claim;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A line for each grant: milliseconds, scope, key, kind, fence. Unbuffered, so that SIGKILL takes nothing back. Several processes may
 * append to one file. Thread-safe.
 */
final class GrantLog {

    private final OutputStream file;

    GrantLog(Path path) {
        try {
            file = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("No log of grants in " + path, e);
        }
    }

    void add(Claim.Granted granted) {
        var record = granted.lease().record();
        String line = System.currentTimeMillis() + " " + record.scope().name() + " "
                + record.key().value() + " " + granted.kind() + " "
                + granted.lease().fence() + "\n";
        try {
            file.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("A grant cannot be logged", e);
        }
    }
}
