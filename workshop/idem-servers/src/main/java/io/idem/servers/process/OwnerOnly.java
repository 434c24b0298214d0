package io.idem.servers.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Creates directories that other users of the machine cannot read, because they hold data and credentials of servers.
 */
final class OwnerOnly {

    private OwnerOnly() {}

    static void createDirectories(Path path) throws IOException {
        Files.createDirectories(
                path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (!Files.isWritable(path)) {
            throw new IOException(path + " belongs to someone else");
        }
    }
}
