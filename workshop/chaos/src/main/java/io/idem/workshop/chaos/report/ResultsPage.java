package io.idem.workshop.chaos.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the documentation page of a run, with its plots. Pure functions. */
public final class ResultsPage {

    /** File name relative to the directory of the documentation. */
    public static final String NAME = "reports/reliability-results.md";

    private static final String PLOTS = "reliability/";

    private ResultsPage() {}

    /** Returns the page as Markdown. */
    public static String of(Report report) {
        List<String> lines = new ArrayList<>();
        lines.add("# What the laboratory found");
        lines.add("");
        lines.add(
                "This page is made by the run that it tells of; whoever wants other figures makes another run. What the classes and"
                        + " the words mean is in [reliability.md](reliability.md).");
        lines.add("");
        ReportText.circumstances(report, lines);
        lines.add("## Targets");
        lines.add("");
        lines.add(
                "What counts for a lane: a fault of Redis, or of a process that serves all lanes, for all of them; one of a broker for"
                        + " its lanes; one that holds up the work of one key, or hits one lane, for that lane only. Targets on time never fail a"
                        + " run: they are as good as the machine was idle.");
        lines.add("");
        ReportText.verdicts(report, lines);
        lines.add("## Plots");
        lines.add("");
        plots(report).keySet().forEach(file -> lines.add("![" + title(file) + "](" + file + ")\n"));
        lines.add("## Every class");
        lines.add("");
        ReportText.classes(report, lines);
        lines.add("## Doubles");
        lines.add("");
        int before = lines.size();
        ReportText.doubles(report, lines);
        if (lines.size() == before) {
            lines.add("None, in either mode.");
        }
        if (!report.keptLogs().isEmpty()) {
            lines.add("");
            report.keptLogs().forEach(file -> lines.add(ReportText.keptLog(file)));
        }
        report.skipped().forEach(skipped -> lines.add("- Not played here: " + skipped));
        report.complaints().forEach(complaint -> lines.add("- Failed: " + complaint));
        return String.join("\n", lines).strip() + "\n";
    }

    private static String title(String file) {
        return switch (file) {
            case PLOTS + "takeover.svg" -> "Takeover times";
            case PLOTS + "recovery.svg" -> "Recovery times";
            default -> "Messages lost and doubled";
        };
    }

    /** Returns the plots as SVG, by their names relative to the page. */
    public static Map<String, String> plots(Report report) {
        List<ClassTotals> classes = ClassTotals.of(report.phases());
        Map<String, String> plots = new LinkedHashMap<>();
        plots.put(PLOTS + "takeover.svg", Plots.takeovers(classes, report.leaseMillis()));
        plots.put(PLOTS + "recovery.svg", Plots.recoveries(classes));
        plots.put(PLOTS + "losses.svg", Plots.losses(classes));
        return plots;
    }
}
