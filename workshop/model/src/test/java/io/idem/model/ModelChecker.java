package io.idem.model;

import io.idem.servers.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Runs TLC in a JVM of its own: it keeps its state in static fields and ends with {@code System.exit}. */
final class ModelChecker {

    private final Path model;
    private final Path scratch;

    /** Creates a checker of the models in one directory that writes its own files to another. */
    ModelChecker(Path model, Path scratch) {
        this.model = model.toAbsolutePath().normalize();
        this.scratch = scratch;
    }

    Finding check(Expectation expectation) throws Exception {
        Path log = scratch.resolve(expectation + ".log");
        try (ChildJvm tlc = launch(expectation).start(log)) {
            tlc.onExit().get(2, TimeUnit.HOURS);
        }
        return Finding.of(Files.readString(log));
    }

    private ChildJvm.Launch launch(Expectation expectation) throws IOException {
        Path unpacked = Files.createDirectories(scratch.resolve("tmp"));
        return ChildJvm.of("tlc2.TLC")
                .named("tlc")
                // Most configurations end within seconds, which the optimising compiler would only prolong.
                .jvmArguments("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx2g", "-Djava.io.tmpdir=" + unpacked)
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
}
