package io.idem.workshop.chaos;

import io.idem.workshop.chaos.report.Report;
import io.idem.workshop.chaos.report.ReportText;
import io.idem.workshop.chaos.stage.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The reliability laboratory. Exit codes: 0 when every target is met, 1 when one is missed, 2 for an invalid command
 * line.
 */
public final class Chaos {

    /** Path relative to the module directory, in which workshop/chaos.sh runs. */
    private static final Path DOCS = Path.of("..", "..", "docs");

    private static final String FLAWS = "--flaws";
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Chaos() {}

    public static void main(String[] arguments) throws IOException {
        System.exit(run(arguments));
    }

    private static int run(String... arguments) throws IOException {
        try {
            if (List.of(arguments).contains(FLAWS)) {
                return score(requireRedis(FLAWS, arguments));
            }
            if (List.of(arguments).contains(SoakCommand.OPTION)) {
                return SoakCommand.run(command(arguments), requireRedis(SoakCommand.OPTION, arguments)) ? 0 : FAILED;
            }
            ChaosOptions options = ChaosOptions.parse(arguments);
            Files.createDirectories(options.output());
            Files.deleteIfExists(options.output().resolve("grants.log"));
            Files.deleteIfExists(options.output().resolve(Stage.STORIES));
            Files.deleteIfExists(options.output().resolve(Stage.STALLS));
            Files.deleteIfExists(options.output().resolve(Stage.RETURNS));
            ReportFiles files = new ReportFiles(options.output());
            Report report = new Campaign(options, command(arguments), System.out, files::write).run();
            files.write(report);
            if (options.publish()) {
                ReportFiles.publish(report, DOCS);
            }
            System.out.println("\n" + ReportText.of(report));
            return report.passed() ? 0 : FAILED;
        } catch (UsageException wrong) {
            System.err.println("chaos: " + wrong.getMessage() + "; see workshop/chaos.sh --help");
            return WRONG_USAGE;
        }
    }

    private static String[] requireRedis(String option, String... arguments) {
        if (List.of(arguments).contains("--store")) {
            throw new UsageException(option + " is played with Redis only: leave --store out");
        }
        return arguments;
    }

    private static int score(String... arguments) throws IOException {
        ChaosOptions options = ChaosOptions.parse(
                Arrays.stream(arguments).filter(word -> !word.equals(FLAWS)).toArray(String[]::new));
        Files.createDirectories(options.output());
        Files.deleteIfExists(options.output().resolve(Stage.STORIES));
        Files.deleteIfExists(options.output().resolve(Stage.STALLS));
        ScoreReport report = new Score(options, command(arguments), System.out).run();
        ReportFiles.write(options.output(), "score", report, report.text());
        System.out.println("\n" + report.text());
        return report.passed() ? 0 : FAILED;
    }

    private static String command(String... arguments) {
        return ("workshop/chaos.sh " + String.join(" ", arguments)).strip();
    }
}
