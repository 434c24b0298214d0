package io.idem.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Unpacks {@code .txz} archives: directories, files and symbolic links. */
final class TarXz {

    private static final int OWNER_EXECUTE = 0100;

    private TarXz() {}

    static void unpack(URL archive, Path directory) throws IOException {
        try (TarArchiveInputStream entries =
                new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(archive.openStream())))) {
            for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                unpack(entry, entries, entry.resolveIn(directory));
            }
        }
    }

    private static void unpack(TarArchiveEntry entry, TarArchiveInputStream content, Path target) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(content, target);
        String permissions = (entry.getMode() & OWNER_EXECUTE) != 0 ? "rwx------" : "rw-------";
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(permissions));
    }
}
