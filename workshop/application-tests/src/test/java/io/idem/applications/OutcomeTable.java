package io.idem.applications;

import io.idem.applications.story.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of configurations and outcomes in the report on listeners. */
final class OutcomeTable {

    static final Path PAGE = Path.of("..", "..", "docs", "reports", "listener-matrix.md");

    private static final String BEGIN = "<!-- applications:begin -->";
    private static final String END = "<!-- applications:end -->";

    private OutcomeTable() {}

    /** Returns the rows that the applications declare; applications with equal rows share one. */
    static String declared() {
        return Stream.concat(
                        Stream.of("| transport | configuration | outcome |", "| --- | --- | --- |"),
                        Suite.onUsualStore().stream().map(OutcomeTable::row).distinct())
                .collect(Collectors.joining("\n"));
    }

    private static String row(Application application) {
        return "| " + application.transport().title() + " | " + application.configuration() + " | "
                + application.outcome().word() + " |";
    }

    /** Returns the rows on the page, without the sentence about the run. */
    static String published() {
        return between(page()).lines().filter(line -> line.startsWith("|")).collect(Collectors.joining("\n"));
    }

    /** Replaces the table on the page. */
    static void publish(String aboutTheRun) {
        String page = page();
        List<String> parts = List.of(BEGIN, "", aboutTheRun, "", declared(), "");
        write(page.replace(BEGIN + between(page), String.join("\n", parts)));
    }

    private static String between(String page) {
        return page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END));
    }

    private static String page() {
        try {
            return Files.readString(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(String page) {
        try {
            Files.writeString(PAGE, page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
