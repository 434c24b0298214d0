package io.idem.servers.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Files in a jar. */
public final class Resources {

    private Resources() {}

    /**
     * Copies a resource into a directory as an executable file, atomically, replacing an existing one.
     *
     * @param name path relative to the package of {@code owner}, or absolute with a leading slash
     */
    public static Path unpack(Class<?> owner, String name, Path directory) throws IOException {
        Files.createDirectories(directory);
        Path target = directory.resolve(name.substring(name.lastIndexOf('/') + 1));
        Path part = Files.createTempFile(directory, "part", null);
        try (InputStream content = owner.getResourceAsStream(name)) {
            if (content == null) {
                throw new IOException("The class path has no " + name + ": is idem-servers complete?");
            }
            Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwx------"));
        return Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    }
}
