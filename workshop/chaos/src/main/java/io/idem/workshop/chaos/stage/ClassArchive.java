package io.idem.workshop.chaos.stage;

import io.idem.servers.process.Waiting;
import io.idem.workshop.process.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An archive of the classes of an application (CDS), which shortens the start of its JVM, so that a killed process is
 * replaced soon. Written by a first process that does nothing else, and kept until the jars are rebuilt.
 */
final class ClassArchive {

    private static final Path DIRECTORY = Path.of("target", "chaos-archives");
    private static final Duration DUMPED_WITHIN = Duration.ofMinutes(5);
    private static final Duration UP_WITHIN = Duration.ofMinutes(5);

    private final String kind;
    private final Class<?> mainClass;
    private final Path file;

    ClassArchive(String kind, Class<?> mainClass) {
        this.kind = kind;
        this.mainClass = mainClass;
        this.file = DIRECTORY.resolve(kind + ".jsa").toAbsolutePath();
    }

    /** Writes the archive if it is missing, by starting and ending an application. */
    ClassArchive made(Map<String, String> settings) {
        if (!Files.exists(file)) {
            make(settings);
        }
        return this;
    }

    private void make(Map<String, String> settings) {
        try {
            Path draft = Files.createDirectories(DIRECTORY.toAbsolutePath()).resolve(kind + ".draft");
            Application application =
                    Application.start(kind, mainClass, List.of("-XX:ArchiveClassesAtExit=" + draft), settings);
            awaitUp(application);
            application.process().process().signal("TERM");
            boolean whole =
                    Waiting.until(DUMPED_WITHIN, () -> !application.process().isAlive());
            if (whole && Files.exists(draft)) {
                Files.move(draft, file);
            }
            // A machine that is too slow gets no archive.
            application.process().kill9();
        } catch (IOException e) {
            throw new UncheckedIOException("No archive of the classes of " + kind, e);
        }
    }

    /** Returns when the application is up, which takes minutes on a busy machine. */
    static void awaitUp(Application application) {
        boolean late = !Waiting.until(
                UP_WITHIN, () -> application.isUp() || !application.process().isAlive());
        if (late || !application.isUp()) {
            throw new IllegalStateException(
                    application + " did not come up:\n" + application.process().lastOutput());
        }
    }

    /** Starts an application with the archive. */
    Application start(List<String> jvmArguments, Map<String, String> settings) {
        List<String> all = new ArrayList<>(jvmArguments);
        // A JVM that cannot use the archive starts without it.
        all.add("-XX:SharedArchiveFile=" + file);
        return Application.start(kind, mainClass, all, settings);
    }
}
