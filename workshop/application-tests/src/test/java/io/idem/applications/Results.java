package io.idem.applications;

import io.idem.applications.story.Application;
import io.idem.servers.SharedServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** The results of the applications of one run. Thread-safe. */
final class Results {

    private final long begun = System.nanoTime();
    private final List<Result> results = new CopyOnWriteArrayList<>();

    /**
     * The result of an application.
     *
     * @param verdict the failure; empty if the outcome is the expected one
     */
    private record Result(Application application, long seconds, String verdict) {

        String row() {
            return "| " + application + " | " + application.outcome().word() + " | "
                    + (verdict.isEmpty() ? "as it must be" : "**" + verdict + "**") + " | " + seconds + " s |";
        }
    }

    void add(Application application, long nanos, String verdict) {
        String line = verdict.replaceAll("\\s+", " ").replace("|", "\\|");
        results.add(new Result(application, Duration.ofNanos(nanos).toSeconds(), line));
    }

    boolean allAsTheyMustBe() {
        return results.stream().allMatch(result -> result.verdict().isEmpty());
    }

    /** Returns a summary of the run in one sentence, for the page. */
    String summary(Selection selection) {
        return "%d applications, selection `%s`, told in %d s on %s, with Java %s, on %s, seed %s."
                .formatted(
                        results.size(),
                        selection.name().toLowerCase(Locale.ROOT),
                        Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
                        LocalDate.now(ZoneOffset.UTC),
                        Runtime.version().feature(),
                        SharedServers.report().stream()
                                .map(line -> line.replaceAll(" at .*", ""))
                                .collect(Collectors.joining(", ")),
                        Long.getLong("applications.seed", 18));
    }

    void write(Path file, Selection selection) {
        String rows = results.stream()
                .sorted(Comparator.comparing(result -> result.application().name()))
                .map(Result::row)
                .collect(Collectors.joining("\n"));
        String text = summary(selection) + "\n\n| application | must be | is | took |\n| --- | --- | --- | --- |\n"
                + rows + "\n";
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
