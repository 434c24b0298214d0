package io.idem.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The directory in which one JVM keeps the data, logs and process ids of all servers it started.
 *
 * <p>The directory is deleted with the JVM: a {@link Watchdog} ends every process recorded here and removes the
 * directory, also after {@code kill -9}. If the watchdog was killed too, the next JVM that uses the same base directory
 * does it. A file lock, which the operating system drops with the JVM, shows whether the JVM still runs.
 *
 * <p>The base directory is {@code idem-servers-<user>} in the system's directory for temporary files, or the one that
 * {@value #BASE_SETTING} names. Beside the run directories it holds unpacked server programs, shared by all JVMs.
 */
public final class RunDirectory {

    /** Environment variable or system property that names the base directory. */
    public static final String BASE_SETTING = "IDEM_SERVERS_DIR";

    private final Path base;
    private final Path path;
    private final FileLock lock;
    private final Watchdog watchdog;
    private final AtomicInteger counter = new AtomicInteger();

    private RunDirectory(Path base, Path path, FileLock lock, Watchdog watchdog) {
        this.base = base;
        this.path = path;
        this.lock = lock;
        this.watchdog = watchdog;
    }

    /** Returns the run directory of this JVM, which the first call creates. Thread-safe. */
    public static RunDirectory ofThisJvm() {
        return OfThisJvm.DIRECTORY;
    }

    static RunDirectory create(Path base) throws IOException {
        OwnerOnly.createDirectories(base);
        Path path = Files.createTempFile(base, "run-" + ProcessHandle.current().pid() + "-", "");
        Files.delete(path);
        FileLock lock = lock(base.resolve(path.getFileName() + StaleRuns.LOCK_SUFFIX));
        OwnerOnly.createDirectories(path.resolve("pids"));
        StaleRuns.reap(base);
        return new RunDirectory(base, path, lock, Watchdog.over(path, base.resolve("scripts")));
    }

    private static FileLock lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return channel.lock();
    }

    /** Returns the path, which every process started through this directory has on its command line. */
    public Path path() {
        return path;
    }

    /** Returns the directory of unpacked programs, shared by all JVMs of this user. */
    public Path programs() {
        return base.resolve("programs");
    }

    /** Returns the file in which the JVMs of this user lock the ports that they chose. */
    Path ports() {
        return base.resolve("ports");
    }

    /** Creates a new empty directory in this one. */
    public Path newDirectory(String name) {
        try {
            return Files.createDirectory(path.resolve(name + "-" + counter.incrementAndGet()));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create a directory for " + name + " in " + path, e);
        }
    }

    Path pids() {
        return path.resolve("pids");
    }

    /** Ends all processes and removes the directory, soon after this call returns. For tests. */
    void abandon() throws IOException {
        lock.channel().close();
        watchdog.release();
    }

    private static final class OfThisJvm {

        static final RunDirectory DIRECTORY = createOrFail();

        private static RunDirectory createOrFail() {
            Path base = base();
            try {
                return create(base);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "Cannot keep servers in " + base + ": let " + BASE_SETTING + " name a directory of yours", e);
            }
        }

        private static Path base() {
            return Optional.ofNullable(System.getProperty(BASE_SETTING))
                    .or(() -> Optional.ofNullable(System.getenv(BASE_SETTING)))
                    .map(Path::of)
                    .orElseGet(() -> Path.of(
                            System.getProperty("java.io.tmpdir"), "idem-servers-" + System.getProperty("user.name")))
                    .toAbsolutePath()
                    .normalize();
        }
    }
}
