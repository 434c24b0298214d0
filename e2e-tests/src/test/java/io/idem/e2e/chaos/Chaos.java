package io.idem.e2e.chaos;

import io.idem.e2e.chaos.report.Report;
import io.idem.e2e.chaos.report.ReportText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The reliability laboratory. Exit code 0: every target met; 1: not; 2: the command line makes no sense. */
public final class Chaos {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final String FLAWS = "--flaws";
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Chaos() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        System.exit(run(arguments));
    }

    private static int run(String... arguments) throws IOException {
        try {
            if (List.of(arguments).contains(FLAWS)) {
                return score(arguments);
            }
            ChaosOptions options = ChaosOptions.parse(arguments);
            Files.createDirectories(options.output());
            Files.deleteIfExists(options.output().resolve("grants.log"));
            Report report = new Campaign(options, ("./chaos " + String.join(" ", arguments)).strip(), System.out).run();
            write(report, options.output());
            return report.passed() ? 0 : FAILED;
        } catch (UsageException wrong) {
            System.err.println("chaos: " + wrong.getMessage() + "; see ./chaos --help");
            return WRONG_USAGE;
        }
    }

    private static int score(String... arguments) throws IOException {
        ChaosOptions options = ChaosOptions.parse(
                Arrays.stream(arguments).filter(word -> !word.equals(FLAWS)).toArray(String[]::new));
        Files.createDirectories(options.output());
        ScoreReport report = new Score(options, command(arguments), System.out).run();
        write(options.output(), "score", report, report.text());
        return report.passed() ? 0 : FAILED;
    }

    private static String command(String... arguments) {
        return ("./chaos " + String.join(" ", arguments)).strip();
    }

    private static void write(Path directory, String name, Object report, String text) throws IOException {
        Files.writeString(directory.resolve(name + ".json"), JSON.writeValueAsString(report) + "\n");
        Files.writeString(directory.resolve(name + ".md"), text);
        System.out.println();
        System.out.println(text);
    }

    private static void write(Report report, Path directory) throws IOException {
        String text = ReportText.of(report);
        Files.writeString(directory.resolve("report.json"), JSON.writeValueAsString(report) + "\n");
        Files.writeString(directory.resolve("report.md"), text);
        System.out.println();
        System.out.println(text);
    }
}
