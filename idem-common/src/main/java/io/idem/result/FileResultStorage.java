package io.idem.result;

import static io.idem.internal.value.Arguments.require;

import io.idem.internal.ObjectName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps large results as files below one directory, which all instances of an application share. A file is written
 * under a temporary name, forced to the disk and then renamed, so that it is never seen in part. Thread-safe; blocks on
 * the disk.
 */
public final class FileResultStorage implements ResultStorage {

    private static final Logger LOG = LoggerFactory.getLogger(FileResultStorage.class);
    private static final String TEMPORARY = ".tmp-";
    private static final Duration LONGEST_WRITE = Duration.ofHours(1);

    private final Path root;
    private final FileAttribute<?>[] ownerOnly;

    /**
     * Creates a storage.
     *
     * @param root the directory, created if it is missing; for its owner only where the file system supports
     *     permissions
     * @throws ResultStorageException if the directory cannot be created or written to
     */
    public FileResultStorage(Path root) {
        this.root = root.toAbsolutePath().normalize();
        this.ownerOnly = ownerOnly(this.root);
        try {
            Files.createDirectories(this.root, ownerOnly);
        } catch (IOException refused) {
            throw failed("be made", refused);
        }
        if (!Files.isWritable(this.root)) {
            throw new ResultStorageException("The directory for large results cannot be written to: " + root);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path root) {
        return root.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    @Override
    public void put(String name, byte[] content) {
        Path file = file(name);
        Path directory = file.resolveSibling("");
        try {
            Files.createDirectories(directory, ownerOnly);
            Path temporary = directory.resolve(TEMPORARY + UUID.randomUUID());
            try {
                write(temporary, content);
                move(temporary, file);
            } finally {
                Files.deleteIfExists(temporary);
            }
            forceDirectory(directory);
        } catch (IOException refused) {
            throw failed("be written to", refused);
        }
    }

    private static void write(Path file, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException plainOnly) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * Forces a directory to the disk, because the name of a file is durable only with its directory. Some systems
     * cannot open directories and need not.
     */
    private static void forceDirectory(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException notSupported) {
            LOG.trace("Directories cannot be forced to the disk here", notSupported);
        }
    }

    @Override
    public Optional<byte[]> get(String name) {
        try {
            return Optional.of(Files.readAllBytes(file(name)));
        } catch (NoSuchFileException gone) {
            return directoryThere() ? Optional.empty() : unmounted(gone);
        } catch (IOException refused) {
            throw failed("be read", refused);
        }
    }

    private boolean directoryThere() {
        return Files.isDirectory(root);
    }

    private Optional<byte[]> unmounted(IOException cause) {
        throw failed("be found; is its volume mounted", cause);
    }

    @Override
    public void delete(String name) {
        try {
            Files.deleteIfExists(file(name));
        } catch (IOException refused) {
            throw failed("be changed", refused);
        }
    }

    /**
     * Removes expired files, whether or not a record still names them, and the remains of interrupted writes. May run
     * on several instances at once.
     *
     * @return the number of files removed
     * @throws ResultStorageException if the directory cannot be read
     */
    public int removeExpired(Instant now) {
        Sweep sweep = new Sweep(now);
        try {
            Files.walkFileTree(root, sweep);
        } catch (IOException refused) {
            throw failed("be cleaned up", refused);
        }
        return sweep.removed;
    }

    private Path file(String name) {
        Path file = root.resolve(name).normalize();
        require(ObjectName.valid(name) && file.startsWith(root), "\"" + name + "\" is not a name of a large result");
        return file;
    }

    private static ResultStorageException failed(String what, IOException cause) {
        return new ResultStorageException(
                "The directory for large results (idem.result.offload.directory) cannot " + what + ": " + cause, cause);
    }

    /** Visits all files once and removes those that have expired. */
    private static final class Sweep extends SimpleFileVisitor<Path> {

        private final Instant now;
        private int removed;

        private Sweep(Instant now) {
            this.now = now;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (expired(file.getFileName().toString(), attributes) && Files.deleteIfExists(file)) {
                removed++;
            }
            return FileVisitResult.CONTINUE;
        }

        private boolean expired(String name, BasicFileAttributes attributes) {
            return name.startsWith(TEMPORARY)
                    ? attributes
                            .lastModifiedTime()
                            .toInstant()
                            .plus(LONGEST_WRITE)
                            .isBefore(now)
                    : ObjectName.expiry(name).orElse(Long.MAX_VALUE) < now.getEpochSecond();
        }

        /** Ignores a file that another instance has just removed. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException gone) throws IOException {
            if (gone instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw gone;
        }
    }
}
