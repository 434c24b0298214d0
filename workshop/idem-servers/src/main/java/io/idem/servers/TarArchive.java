package io.idem.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * Unpacks {@code .txz} and {@code .tar.gz} archives: directories, files and symbolic links, but no links to absolute
 * paths.
 */
final class TarArchive {

    private static final int OWNER_EXECUTE = 0100;

    private TarArchive() {}

    static void unpack(URL archive, Path directory) throws IOException {
        try (TarArchiveInputStream entries = new TarArchiveInputStream(decompressed(archive))) {
            for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                unpack(entry, entries, entry.resolveIn(directory));
            }
        }
    }

    private static InputStream decompressed(URL archive) throws IOException {
        InputStream compressed = new BufferedInputStream(archive.openStream());
        return archive.getPath().endsWith("gz")
                ? new GZIPInputStream(compressed)
                : new XZCompressorInputStream(compressed);
    }

    private static void unpack(TarArchiveEntry entry, TarArchiveInputStream content, Path target) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            link(target, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(content, target);
        String permissions = (entry.getMode() & OWNER_EXECUTE) != 0 ? "rwx------" : "rw-------";
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(permissions));
    }

    /** Leaves out an absolute destination, which is a path of the machine where the archive was made. */
    private static void link(Path target, Path destination) throws IOException {
        if (!destination.isAbsolute()) {
            Files.createSymbolicLink(target, destination);
        }
    }
}
