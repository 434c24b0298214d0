package io.idem.servers;

import io.idem.servers.process.Resources;
import io.idem.servers.process.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A program from a jar, unpacked once per user and machine. */
final class UnpackedProgram {

    private UnpackedProgram() {}

    /** Returns the executable file; empty if the class path has no such resource. */
    static Optional<Path> of(String resource) {
        return Optional.ofNullable(UnpackedProgram.class.getResource(resource)).map(url -> unpack(resource, url));
    }

    private static Path unpack(String resource, URL url) {
        Path directory = RunDirectory.ofThisJvm().programs();
        Path file = directory.resolve(resource.substring(1));
        try {
            if (Files.isExecutable(file)
                    && Files.size(file) == url.openConnection().getContentLengthLong()) {
                return file;
            }
            return Resources.unpack(UnpackedProgram.class, resource, directory);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot unpack " + resource + " to " + directory, e);
        }
    }
}
