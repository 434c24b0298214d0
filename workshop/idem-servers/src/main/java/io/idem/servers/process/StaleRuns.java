package io.idem.servers.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Run directories whose JVM and watchdog are both gone. */
final class StaleRuns {

    static final String LOCK_SUFFIX = ".lock";

    /** Minimum age of a stale lock file; the JVM of a younger one may be about to lock it. */
    private static final Duration MINIMUM_AGE = Duration.ofSeconds(10);

    private StaleRuns() {}

    /** Ends the processes of stale runs and removes their directories, soon after this call returns. */
    static void reap(Path base) throws IOException {
        List<Path> locks;
        try (Stream<Path> files = Files.list(base)) {
            locks = files.filter(StaleRuns::isLockOfOtherJvm).toList();
        }
        for (Path lock : locks) {
            if (isStale(lock)) {
                Watchdog.over(withoutSuffix(lock), base.resolve("scripts")).release();
            }
        }
    }

    private static boolean isLockOfOtherJvm(Path file) {
        String name = file.getFileName().toString();
        // Opening and closing our own lock file would drop the lock: POSIX locks end with the first close of the file.
        boolean ours = name.startsWith("run-" + ProcessHandle.current().pid() + "-");
        return name.startsWith("run-") && name.endsWith(LOCK_SUFFIX) && !ours;
    }

    private static boolean isStale(Path lock) throws IOException {
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            Instant created = Files.getLastModifiedTime(lock).toInstant();
            return created.isBefore(Instant.now().minus(MINIMUM_AGE)) && canLock(channel);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static boolean canLock(FileChannel channel) throws IOException {
        try (FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static Path withoutSuffix(Path lock) {
        String name = lock.getFileName().toString();
        return lock.resolveSibling(name.substring(0, name.length() - LOCK_SUFFIX.length()));
    }
}
