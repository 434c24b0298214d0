package io.idem.workshop.chaos;

import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.soak.Soak;
import io.idem.workshop.chaos.soak.SoakReport;
import io.idem.workshop.chaos.stage.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Implements {@code --soak}: parses the arguments, runs the soak, and writes its report. */
final class SoakCommand {

    static final String OPTION = "--soak";

    private static final int AN_HOUR = 60;
    private static final int NOTHING = 0;

    private SoakCommand() {}

    /** Runs the soak and returns whether it passed. */
    static boolean run(String command, String... arguments) throws IOException {
        Soak.Plan plan = plan(command, arguments);
        Files.createDirectories(plan.output());
        Files.deleteIfExists(plan.output().resolve(Stage.STORIES));
        Files.deleteIfExists(plan.output().resolve(Stage.STALLS));
        SoakReport report = new Soak(plan, System.out).run();
        ReportFiles.write(plan.output(), "soak", report, report.text());
        Files.writeString(plan.output().resolve("soak.svg"), report.picture());
        System.out.println("\n" + report.text());
        return report.passed();
    }

    /** Parses the options. The number of minutes may be omitted; of the other options, seed and rate apply. */
    static Soak.Plan plan(String command, String... arguments) {
        List<String> words = new ArrayList<>(List.of(arguments));
        int at = words.indexOf(OPTION);
        words.remove(at);
        boolean given = at < words.size() && words.get(at).matches("[0-9]{1,5}");
        int minutes = given ? Integer.parseInt(words.remove(at)) : AN_HOUR;
        if (minutes == NOTHING) {
            throw new UsageException(OPTION + " is '0': use at least a minute");
        }
        ChaosOptions options = ChaosOptions.parse(words.toArray(String[]::new));
        return new Soak.Plan(
                minutes,
                options.seed(),
                options.rate(FaultClass.NONE),
                options.deliveryLimit(),
                options.output(),
                command);
    }
}
