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

/**
 * Copies the logs of phases in which Kafka's clients recovered too late into the run's directory before they are
 * deleted.
 */
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
     * @param prefix prefix of the phase's keys, used as the name of the directory of the copies
     * @param logs logs by the names of their copies; called only if they are to be copied
     */
    void keepIfSlow(PhaseFigures phase, String prefix, Supplier<Map<String, Path>> logs) {
        if (Verdicts.missesKafkaRecovery(phase)) {
            logs.get().forEach((name, log) -> keep(prefix, name, log));
        }
    }

    /** Copies a log. A failure is listed in place of the copy and does not end the run. */
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

    /**
     * Returns the copies, relative to the run's directory; a log that could not be copied has its error beside its
     * name.
     */
    List<String> files() {
        return List.copyOf(files);
    }
}
