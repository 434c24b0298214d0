package io.idem.workshop.chaos;

import io.idem.workshop.chaos.report.Report;
import io.idem.workshop.chaos.report.ReportText;
import io.idem.workshop.chaos.report.ResultsPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes reports: after every phase to the output directory, and on request at the end to the documentation. */
final class ReportFiles {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Path directory;

    ReportFiles(Path directory) {
        this.directory = directory;
    }

    void write(Report report) {
        try {
            Files.createDirectories(directory);
            write(directory, "report", report, ReportText.of(report));
            publish(report, directory);
        } catch (IOException e) {
            throw new UncheckedIOException("A report cannot be written to " + directory, e);
        }
    }

    /** Writes a report as JSON for programs and as text for people. */
    static void write(Path directory, String name, Object report, String text) throws IOException {
        Files.writeString(directory.resolve(name + ".json"), JSON.writeValueAsString(report) + "\n");
        Files.writeString(directory.resolve(name + ".md"), text);
    }

    /** Writes the page of results and its plots below the directory of the documentation. */
    static void publish(Report report, Path docs) throws IOException {
        Path page = docs.resolve(ResultsPage.NAME);
        Files.createDirectories(page.resolveSibling("."));
        Files.writeString(page, ResultsPage.of(report));
        for (Map.Entry<String, String> plot : ResultsPage.plots(report).entrySet()) {
            Path file = page.resolveSibling(plot.getKey());
            Files.createDirectories(file.resolveSibling("."));
            Files.writeString(file, plot.getValue());
        }
    }
}
