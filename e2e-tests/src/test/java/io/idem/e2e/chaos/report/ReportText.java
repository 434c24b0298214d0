package io.idem.e2e.chaos.report;

import io.idem.e2e.chaos.check.Finding;
import java.util.ArrayList;
import java.util.List;

/** A report as Markdown. Pure functions. */
public final class ReportText {

    private static final String HEAD =
            "| fault | faults | lane | messages | lost | double | takeover ms p50 / p99 / max | recovery ms p50 / p99 / max |";
    private static final String RULE = "| --- | ---: | --- | ---: | ---: | ---: | --- | --- |";

    private ReportText() {}

    /** Tables and all that is needed to repeat them. */
    public static String of(Report report) {
        List<String> lines = new ArrayList<>();
        lines.add("`" + report.command() + "`: " + (report.passed() ? "passed" : "FAILED") + " in "
                + Math.round(report.seconds()) + " s. Seed " + report.seed() + ", lease " + report.leaseMillis()
                + " ms, Kafka's session time-out " + report.kafkaSessionMillis() + " ms.");
        lines.add("");
        lines.add(String.join("; ", report.versions()) + ".");
        lines.add("");
        lines.add(HEAD);
        lines.add(RULE);
        report.phases().forEach(phase -> phase.lanes().forEach(lane -> lines.add(row(phase, lane))));
        lines.add("");
        report.skipped().forEach(skipped -> lines.add("- SKIPPED: " + skipped));
        report.complaints().forEach(complaint -> lines.add("- " + complaint));
        return String.join("\n", lines) + "\n";
    }

    private static String row(PhaseFigures phase, LaneFigures lane) {
        Finding finding = lane.finding();
        String doubled = finding.doubled().size() + "";
        return "| " + phase.faultClass().id() + " | " + phase.faults() + " | " + finding.lane() + " | "
                + finding.asked() + " | " + finding.lost().size() + " | " + doubled + " | "
                + lane.takeover().text() + " | " + lane.recovery().text() + " |";
    }
}
