package io.idem.workshop.chaos;

import io.idem.IdempotencyKey;
import io.idem.servers.RunningRedis;
import io.idem.workshop.chaos.check.RecordTrace;
import io.idem.workshop.chaos.check.Transitions;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.stage.RedisSide;
import io.idem.workshop.chaos.worker.ChaosIntakeMain;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.process.Tenant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes what Redis did to the records of the keys that complaints name into the run's directory, in the form that the
 * trace checker of the model reads. A run without complaints leaves nothing.
 */
final class KeptTraces {

    private static final String DIRECTORY = "traces";

    /** A key of the form {@code run.phase.lane.number}. */
    private static final Pattern KEY = Pattern.compile("\\bs-?\\d+\\.p\\d+-([\\w-]+)\\.[\\w-]+\\.[\\w-]+");

    private final Path output;
    private final String command;
    private final Transitions transitions;

    KeptTraces(Path output, String command) {
        this.output = output;
        this.command = command;
        this.transitions = new Transitions(output.resolve("transitions.log"));
    }

    /** Removes what an earlier run left. */
    void clear() {
        try {
            transitions.forget();
            Path directory = output.resolve(DIRECTORY);
            if (Files.exists(directory)) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                    for (Path file : files) {
                        Files.delete(file);
                    }
                }
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The traces of an earlier run cannot be removed", e);
        }
    }

    /** Takes over the transitions that the servers logged, whose logs end with them. */
    void take(RedisSide redis) {
        try {
            for (RunningRedis server : redis.servers()) {
                if (server.log().isPresent()) {
                    transitions.take(server.log().get());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The transitions of " + redis.version() + " cannot be kept", e);
        }
    }

    /** Writes the traces, and forgets all other transitions. Returns the files, relative to the run's directory. */
    List<String> keep(List<String> complaints) {
        try {
            Map<String, String> keys = keys(complaints);
            List<String> files = new ArrayList<>();
            for (RecordTrace trace : transitions.of(keys.keySet()).values()) {
                files.add(write(keys.getOrDefault(trace.keyId(), ""), trace));
            }
            transitions.forget();
            return List.copyOf(files);
        } catch (IOException e) {
            throw new UncheckedIOException("The traces cannot be written", e);
        }
    }

    /**
     * Returns the keys that are named, by their ids. Their tenant is the intake's, or the default where nobody came by the
     * intake.
     */
    private static Map<String, String> keys(List<String> complaints) {
        Map<String, String> keys = new TreeMap<>();
        for (String complaint : complaints) {
            for (Matcher key = KEY.matcher(complaint); key.find(); ) {
                keys.put(IdempotencyKey.of(key.group()).id(), key.group());
                keys.put(new IdempotencyKey(Tenant.NORTH.name(), key.group()).id(), key.group());
            }
        }
        return keys;
    }

    private String write(String key, RecordTrace trace) throws IOException {
        Path file = Path.of(DIRECTORY, "trace-" + key + "-" + trace.scope() + ".txt");
        List<String> lines = new ArrayList<>();
        lines.add("# What Redis did to the record of " + key + " in scope " + trace.scope());
        lines.add("# run " + command);
        lines.add("# inbox "
                + (!trace.scope().equals(ChaosIntakeMain.SCOPE)
                        && Lane.ofKey(key).inbox()));
        lines.add(
                "# milliseconds, step, owner, fence, answer, whether the lease or the rest had ended, and the record left:"
                        + " state, fence, attempts");
        lines.addAll(trace.lines(losesData(key)));
        Path target = output.resolve(file);
        Files.createDirectories(target.resolveSibling("."));
        Files.write(target, lines);
        return file.toString();
    }

    private static boolean losesData(String key) {
        Matcher parts = KEY.matcher(key);
        return parts.matches()
                && Arrays.stream(FaultClass.values())
                        .anyMatch(each -> each.id().equals(parts.group(1)) && Harm.losesData(each));
    }
}
