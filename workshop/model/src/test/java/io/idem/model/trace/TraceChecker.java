package io.idem.model.trace;

import io.idem.servers.process.ChildJvm;
import io.idem.workshop.simulation.kernel.TraceEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tlc2.TLC;

/**
 * Asks TLC whether the model has a behaviour for each of many traces, in one JVM of its own. Blocks while TLC runs:
 * about a second, and two to three for each thousand events.
 */
final class TraceChecker {

    private static final Path MODEL = Path.of("");

    private final Path scratch;
    private final boolean watched;

    /**
     * Creates a checker.
     *
     * @param scratch an existing directory for the files of TLC
     * @param watched whether the traces have effects and acknowledgements, and not the steps of a store alone
     */
    TraceChecker(Path scratch, boolean watched) {
        this.scratch = scratch;
        this.watched = watched;
    }

    /**
     * Returns a verdict for each trace, in any order.
     *
     * @throws IllegalStateException if TLC does not look at all traces to their end; the message has its output
     */
    List<TraceVerdict> check(List<Trace> traces) {
        if (traces.isEmpty() || traces.stream().anyMatch(trace -> trace.events().isEmpty())) {
            throw new IllegalArgumentException("There are no traces, or one has no events; nothing would be checked");
        }
        Map<Boolean, List<Trace>> groups = traces.stream().collect(Collectors.partitioningBy(Trace::inbox));
        return groups.entrySet().stream()
                .flatMap(group -> verdicts(group.getKey(), group.getValue()).stream())
                .toList();
    }

    /** Returns a refusal with the answers that the model would have allowed, for which TLC runs once more. */
    TraceVerdict explained(TraceVerdict refusal) {
        int refused = refusal.reached().next() - 1;
        List<TraceEvent> events = refusal.trace().events();
        List<Trace> variants = answers(events.get(refused)).stream()
                .map(answer -> refusal.trace().endingWith(refused, answer))
                .toList();
        List<String> possible = variants.isEmpty()
                ? List.of("no answer is part of this event")
                : verdicts(refusal.trace().inbox(), variants).stream()
                        .filter(TraceVerdict::accepted)
                        .map(variant -> variant.trace().events().get(refused).answer())
                        .toList();
        return new TraceVerdict(
                refusal.trace(), refusal.reached(), possible.isEmpty() ? List.of("no answer") : possible);
    }

    private static List<String> answers(TraceEvent event) {
        return switch (event.step()) {
            case "ACQUIRE" ->
                List.of(
                        "FRESH",
                        "RETRY",
                        "TAKEOVER",
                        "REENTRANT",
                        "REPLAY",
                        "INPROGRESS",
                        "REJECTED",
                        "EXHAUSTED",
                        "NOTYET");
            case "RENEW" -> List.of("OK", "ALREADYSETTLED", "LOST");
            case "COMPLETE", "FAIL", "REJECT" -> List.of("OK", "LOST");
            default -> List.of();
        };
    }

    private List<TraceVerdict> verdicts(boolean inbox, List<Trace> traces) {
        if (traces.isEmpty()) {
            return List.of();
        }
        String output = run(inbox, traces);
        if (!output.contains("Model checking completed. No error has been found.")) {
            throw new IllegalStateException("TLC failed:\n" + output);
        }
        TraceProgress progress = TraceProgress.read(output);
        return IntStream.range(0, traces.size())
                .mapToObj(i -> new TraceVerdict(traces.get(i), progress.of(i + 1), List.of()))
                .toList();
    }

    private String run(boolean inbox, List<Trace> traces) {
        try {
            Path directory = Files.createTempDirectory(scratch, "traces");
            Files.copy(MODEL.resolve("Boundary.tla"), directory.resolve("Boundary.tla"));
            for (String file : List.of("BoundaryTrace.tla", "BoundaryTrace.cfg")) {
                Files.copy(
                        MODEL.resolve("traces").resolve(file),
                        directory.resolve(file),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            Files.writeString(directory.resolve("TraceData.tla"), TraceModule.of(traces));
            Files.writeString(
                    directory.resolve("BoundaryTrace.cfg"),
                    Files.readString(directory.resolve("BoundaryTrace.cfg"))
                            + "CONSTANTS Watched = " + (watched ? "TRUE" : "FALSE") + " Store = "
                            + (inbox ? "\"inbox\"" : "\"none\"") + "\n");
            Path log = directory.resolve("tlc.log");
            try (ChildJvm tlc = launch(directory).start(log)) {
                int unused = tlc.awaitEnd();
            }
            return Files.readString(log);
        } catch (IOException broken) {
            throw new UncheckedIOException("The files of TLC cannot be written or read", broken);
        }
    }

    private static ChildJvm.Launch launch(Path directory) {
        return ChildJvm.of(TLC.class.getName())
                .named("tlc")
                .jvmArguments("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g", "-Xss8m")
                .jvmArguments("-Djava.io.tmpdir=" + directory, "-cp", jar().toString())
                .arguments(
                        "-deadlock",
                        "-workers",
                        "1",
                        "-metadir",
                        directory.resolve("states").toString())
                .arguments("-config", directory.resolve("BoundaryTrace.cfg").toString())
                .arguments(directory.resolve("BoundaryTrace.tla").toString());
    }

    private static Path jar() {
        try {
            return Path.of(TLC.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("TLC has no place", impossible);
        }
    }
}
