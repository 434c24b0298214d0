package io.idem.demo.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A report for other programs. */
public final class ReportFile {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ReportFile() {}

    /** Writes it, in place of an earlier one. */
    public static void write(Report report, Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, JSON.writeValueAsString(report) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("The report " + file + " cannot be written", e);
        }
    }
}
