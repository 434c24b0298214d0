package io.idem.servers;

import io.idem.servers.process.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** A jar's archive with server programs, unpacked once per user and machine. */
record ProgramArchive(URL url, String name) {

    /** Returns the archive {@code name + suffix} on the class path; empty if there is none. */
    static Optional<ProgramArchive> find(String name, String suffix) {
        return Optional.ofNullable(ProgramArchive.class.getResource("/" + name + suffix))
                .map(url -> new ProgramArchive(url, name));
    }

    /** Returns the directory with the programs. The size in its name distinguishes versions. */
    Path unpack() {
        Path programs = RunDirectory.ofThisJvm().programs();
        try {
            Path home = programs.resolve(name + "-" + url.openConnection().getContentLengthLong());
            return Files.isDirectory(home) ? home : unpack(programs, home);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot unpack " + name + " to " + programs, e);
        }
    }

    private Path unpack(Path programs, Path home) throws IOException {
        Files.createDirectories(programs);
        Path part = Files.createTempDirectory(programs, "part");
        TarArchive.unpack(url, part);
        try {
            return Files.move(part, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw e;
        } catch (FileSystemException e) {
            // Another JVM has finished first; its copy is equal.
            Directories.delete(part);
            return home;
        }
    }
}
