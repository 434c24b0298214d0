package io.idem.workshop.process;

import io.idem.servers.process.Waiting;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An archive of the classes of an application (CDS), which shortens the start of its JVM, so that a killed process is
 * replaced soon. Written by a first process that does nothing else, and kept until a jar is rebuilt. Only classes of
 * jars can be archived: the application sees the class path without the directories of the tests.
 */
public final class ClassArchive {

    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path DIRECTORY = TARGET.resolve("class-archives");
    private static final Duration DUMPED_WITHIN = Duration.ofMinutes(5);
    private static final Duration UP_WITHIN = Duration.ofMinutes(5);

    private final String name;
    private final Path file;

    private ClassArchive(String name) {
        this.name = name;
        this.file = DIRECTORY.resolve(name + ".jsa");
    }

    /** Returns the archive that every application of this module starts with once it is written. */
    static ClassArchive ofThisModule() {
        return named("applications");
    }

    /** Returns the description of the archive of this name in {@code target/class-archives}, without writing it. */
    public static ClassArchive named(String name) {
        return new ClassArchive(name);
    }

    /**
     * Writes the archive if it is missing or older than a jar, by starting and ending an application. Returns at once
     * where classes are not in jars, as in an IDE, or where another JVM is writing.
     */
    public ClassArchive madeBy(Class<?> mainClass, Map<String, String> settings) {
        return madeBy(mainClass, List.of(), settings);
    }

    /**
     * Writes the archive as the other method does.
     *
     * @param jvmArguments arguments of the JVM; if they add to the boot class path, only JVMs that add the same use the
     *     archive
     */
    public ClassArchive madeBy(Class<?> mainClass, List<String> jvmArguments, Map<String, String> settings) {
        try {
            Files.createDirectories(DIRECTORY);
            try (FileChannel channel = FileChannel.open(
                            DIRECTORY.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                if (lock != null && onlyJars() && isOutdated()) {
                    make(mainClass, jvmArguments, settings);
                }
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("No archive of the classes of " + name, e);
        }
    }

    private static boolean onlyJars() {
        return classPath().filter(Files::isDirectory).allMatch(directory -> directory.startsWith(TARGET));
    }

    private boolean isOutdated() throws IOException {
        if (!Files.exists(file)) {
            return true;
        }
        FileTime written = Files.getLastModifiedTime(file);
        for (Path jar : jars()) {
            if (Files.getLastModifiedTime(jar).compareTo(written) > 0) {
                return true;
            }
        }
        return false;
    }

    private void make(Class<?> mainClass, List<String> jvmArguments, Map<String, String> settings) throws IOException {
        Files.deleteIfExists(file);
        Path draft = DIRECTORY.resolve(name + ".draft");
        List<String> all = new ArrayList<>(jvmArguments);
        all.addAll(arguments("-XX:ArchiveClassesAtExit=" + draft));
        Application application = Application.start(name, mainClass, all, settings);
        awaitUp(application);
        application.process().process().signal("TERM");
        boolean whole =
                Waiting.until(DUMPED_WITHIN, () -> !application.process().isAlive());
        if (whole && Files.exists(draft)) {
            Files.move(draft, file);
        }
        // A machine that is too slow gets no archive.
        application.process().kill9();
    }

    /** Returns when the application is up, which takes minutes on a busy machine. */
    public static void awaitUp(Application application) {
        boolean late = !Waiting.until(
                UP_WITHIN, () -> application.isUp() || !application.process().isAlive());
        if (late || !application.isUp()) {
            throw new IllegalStateException(
                    application + " did not come up:\n" + application.process().lastOutput());
        }
    }

    /** Returns the arguments of a JVM that uses the archive; empty if there is none. */
    public List<String> arguments() {
        // A JVM whose jars are not those of the archive starts without it.
        return Files.exists(file) && onlyJars() ? arguments("-XX:SharedArchiveFile=" + file) : List.of();
    }

    private static List<String> arguments(String archive) {
        String jars = jars().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        return List.of(archive, "-cp", jars);
    }

    private static List<Path> jars() {
        return classPath().filter(Files::isRegularFile).toList();
    }

    private static Stream<Path> classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of);
    }
}
