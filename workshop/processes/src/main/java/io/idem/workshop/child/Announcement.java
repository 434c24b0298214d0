package io.idem.workshop.child;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.springframework.core.env.Environment;

/**
 * The announcement that a child process is up, with its ports; written to a file.
 *
 * @param control the port of its {@link ControlServer}
 * @param http the port of its HTTP server; 0 if it has none
 */
public record Announcement(int control, int http) {

    /** The system property with the name of the file. */
    public static final String FILE = "idem.e2e.announcement";

    static void write(int control, Environment environment) {
        Path file = Path.of(environment.getRequiredProperty(FILE));
        String http = environment.getProperty("local.server.port", "0");
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        try {
            Files.writeString(draft, control + " " + http);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot announce anything in " + file, e);
        }
    }

    /** Returns the announcement of a child; empty if there is none yet. */
    public static Optional<Announcement> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            String[] ports = Files.readString(file).split(" ", -1);
            return Optional.of(new Announcement(Integer.parseInt(ports[0]), Integer.parseInt(ports[1])));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }
}
