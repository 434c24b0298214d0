package io.idem.workshop.chaos;

import io.idem.workshop.chaos.report.PhaseFigures;
import io.idem.workshop.chaos.report.Verdicts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Logs of phases in which Kafka's clients recovered too late, copied into the run's directory before they go away. */
final class KeptLogs {

    private static final String DIRECTORY = "kept-logs";

    private final Path output;
    private final List<String> files = new ArrayList<>();

    KeptLogs(Path output) {
        this.output = output;
    }

    /**
     * Copies the logs if the phase missed the target of Kafka's recovery.
     *
     * @param prefix of the phase's keys, which names the directory of the copies
     * @param logs by the names of their copies; asked for only if they are to be copied
     */
    void keepIfSlow(PhaseFigures phase, String prefix, Supplier<Map<String, Path>> logs) {
        if (Verdicts.missesKafkaRecovery(phase)) {
            logs.get().forEach((name, log) -> keep(prefix, name, log));
        }
    }

    /** A log that cannot be copied is told in its place: no run fails for it. */
    private void keep(String prefix, String name, Path log) {
        Path copy = Path.of(DIRECTORY, prefix, name);
        try {
            Path target = output.resolve(copy);
            Files.createDirectories(target.resolveSibling("."));
            Files.copy(log, target, StandardCopyOption.REPLACE_EXISTING);
            files.add(copy.toString());
        } catch (IOException | UncheckedIOException e) {
            files.add(copy + " (not copied: " + e + ")");
        }
    }

    /** The copies so far, relative to the run's directory. */
    List<String> files() {
        return List.copyOf(files);
    }
}
