package io.idem.model;

import io.idem.servers.process.ChildJvm;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import tlc2.TLC;

/**
 * Runs TLC in a JVM of its own: it keeps its state in static fields and ends with {@code System.exit}. The first JVM
 * leaves an archive of its classes (CDS) to the next ones, which shortens their start.
 */
final class ModelChecker {

    private final Path model;
    private final Path scratch;
    private final Path archive;

    /** Creates a checker of the models in one directory that writes its own files to another. */
    ModelChecker(Path model, Path scratch) {
        this.model = model.toAbsolutePath().normalize();
        this.scratch = scratch;
        this.archive = scratch.resolve("tlc.jsa").toAbsolutePath();
    }

    Finding check(Expectation expectation) throws Exception {
        Path log = scratch.resolve(expectation + ".log");
        try (ChildJvm tlc = launch(expectation).start(log)) {
            tlc.onExit().get(2, TimeUnit.HOURS);
        }
        return Finding.of(Files.readString(log));
    }

    private ChildJvm.Launch launch(Expectation expectation) throws Exception {
        Path unpacked = Files.createDirectories(scratch.resolve("tmp"));
        return ChildJvm.of(TLC.class.getName())
                .named("tlc")
                // Most configurations end within seconds, which the optimising compiler would only prolong.
                .jvmArguments("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx2g", "-Djava.io.tmpdir=" + unpacked)
                .jvmArguments(
                        (Files.exists(archive) ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=") + archive)
                // Without directories, of which no classes can be archived.
                .jvmArguments("-cp", jar().toString())
                .arguments(
                        "-deadlock",
                        "-workers",
                        "2",
                        "-metadir",
                        scratch.resolve("states-" + expectation).toString())
                .arguments(
                        "-config",
                        expectation.file().toAbsolutePath().normalize().toString())
                .arguments(model.resolve(expectation.module() + ".tla").toString());
    }

    private static Path jar() throws URISyntaxException {
        return Path.of(
                TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
