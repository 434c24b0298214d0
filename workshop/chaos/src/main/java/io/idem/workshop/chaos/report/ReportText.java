package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.check.StepFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats a report as Markdown. Pure functions. */
public final class ReportText {

    /** Checks the traces of the last run, from the directory of the repository. */
    private static final String CHECK = "mvn verify -pl workshop/model -am -Dtest=TraceFilesTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Didem.trace.file=workshop/chaos/target/chaos/traces";

    private ReportText() {}

    /** Returns the tables and the data needed to repeat the run. */
    public static String of(Report report) {
        List<String> lines = new ArrayList<>();
        circumstances(report, lines);
        verdicts(report, lines);
        classes(report, lines);
        doubles(report, lines);
        report.keptLogs().forEach(file -> lines.add(keptLog(file)));
        report.skipped().forEach(skipped -> lines.add("- SKIPPED: " + skipped));
        report.complaints().forEach(complaint -> lines.add("- " + complaint));
        traces(report, lines);
        return String.join("\n", lines).strip() + "\n";
    }

    private static void traces(Report report, List<String> lines) {
        if (!report.traces().isEmpty()) {
            report.traces().forEach(file -> lines.add("- Trace of a record: `" + file + "`"));
            lines.add("- Whether the model allows these traces: `" + CHECK + "`");
        } else if (report.finished() && !report.passed()) {
            lines.add(
                    "- No trace: the complaints name no key with a record in Redis, and of the inbox alone none is kept.");
        }
    }

    static String keptLog(String file) {
        return "- Log kept, as Kafka's recovery missed its target: `" + file + "`";
    }

    static void circumstances(Report report, List<String> lines) {
        lines.add("`" + report.command() + "`: " + outcome(report) + " after " + Math.round(report.seconds()) + " s.");
        lines.add("");
        lines.add("| | |");
        lines.add("| --- | --- |");
        lines.add("| seed | " + report.seed() + " |");
        lines.add("| machine | " + report.machine() + "; load average " + String.join(" at the start, ", report.load())
                + " at the end |");
        lines.add("| versions | " + String.join("; ", report.versions()) + " |");
        lines.add("| lease | " + report.leaseMillis() + " ms; Kafka's session time-out " + report.kafkaSessionMillis()
                + " ms |");
        lines.add("| start of a worker | " + report.startUp().text() + " ms |");
        lines.add("| processes stood still, not by our fault | " + stalls(report.stalls()) + " |");
        lines.add("");
    }

    private static String stalls(Distribution stalls) {
        return stalls.count() == 0
                ? "never for a quarter of the lease or more"
                : stalls.count() + " times for a quarter of the lease or more, the longest " + stalls.max() + " ms";
    }

    private static String outcome(Report report) {
        if (!report.finished()) {
            return "not finished, last heard of";
        }
        return report.passed() ? "passed" : "FAILED";
    }

    static void verdicts(Report report, List<String> lines) {
        lines.add("| target | figure | |");
        lines.add("| --- | --- | --- |");
        report.verdicts()
                .forEach(verdict -> lines.add("| " + verdict.target() + " | " + verdict.figure() + " | "
                        + (verdict.met() ? "met" : "**missed**") + " |"));
        lines.add("");
    }

    static void classes(Report report, List<String> lines) {
        lines.add("Times are p50 / p99 / max in milliseconds, and in brackets how many.");
        lines.add("");
        lines.add(
                "| class | lane | faults | messages | lost | double | takeover | of that, the broker's redelivery | beyond lease and redelivery | recovery |");
        lines.add("| --- | --- | ---: | ---: | ---: | ---: | --- | --- | --- | --- |");
        for (ClassTotals totals : ClassTotals.of(report.phases())) {
            totals.lanes().forEach(lane -> lines.add(row(totals.faultClass().id(), lane)));
        }
        ClassTotals.lanes(report.phases()).forEach(lane -> lines.add(row("all", lane)));
        lines.add("");
        steps(ClassTotals.of(report.phases()), lines);
        returns(report, lines);
    }

    private static void steps(List<ClassTotals> classes, List<String> lines) {
        List<ClassTotals> withSteps = classes.stream()
                .filter(totals -> totals.steps(StepFinding::steps) > 0)
                .toList();
        if (!withSteps.isEmpty()) {
            lines.add("Steps, as their provider counted them. An attempt ends inside of a step when it dies, loses its"
                    + " lease or fails there; a late call is one of a process that was paused in it:");
            lines.add("");
            lines.add("| class | steps | calls | attempts that ended inside | questions of reconcilers | late calls |");
            lines.add("| --- | ---: | ---: | ---: | ---: | ---: |");
            withSteps.forEach(totals -> lines.add("| " + totals.faultClass().id() + " | "
                    + totals.steps(StepFinding::steps) + " | " + totals.steps(StepFinding::calls) + " | "
                    + totals.steps(StepFinding::endedInside) + " | " + totals.steps(StepFinding::questions) + " | "
                    + totals.steps(StepFinding::late) + " |"));
            lines.add("");
        }
    }

    private static void returns(Report report, List<String> lines) {
        if (!report.returns().isEmpty()) {
            lines.add("Messages that came back to their queue, as RabbitMQ counts it; the delivery limit was "
                    + report.deliveryLimit() + ":");
            lines.add("");
            lines.add("| class | lane | messages | most returns of one |");
            lines.add("| --- | --- | ---: | ---: |");
            report.returns()
                    .forEach(cost -> lines.add("| " + cost.faultClass() + " | " + cost.lane() + " | " + cost.messages()
                            + " | " + cost.most() + " |"));
            lines.add("");
        }
    }

    private static String row(String name, LaneTotals lane) {
        boolean all = name.equals("all");
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %d | %d | %d | %s | %s | %s | %s |",
                name,
                lane.lane().id(),
                lane.faults(),
                lane.messages(),
                lane.lost(),
                lane.doubled(),
                all ? "" : lane.takeover().text(),
                all ? "" : lane.redelivery().text(),
                all ? "" : lane.overdue().text(),
                all ? "" : lane.recovery().text());
    }

    static void doubles(Report report, List<String> lines) {
        List<String> rows = ClassTotals.of(report.phases()).stream()
                .flatMap(totals -> totals.lanes().stream()
                        .flatMap(lane -> lane.doubles().stream()
                                .map(each -> "| " + totals.faultClass().id() + " | "
                                        + lane.lane().id() + " | `" + each.key() + "` | "
                                        + each.cause().text() + " | " + each.evidence() + " |")))
                .toList();
        if (!rows.isEmpty()) {
            lines.add("Every double, and its cause:");
            lines.add("");
            lines.add("| class | lane | key | cause | evidence |");
            lines.add("| --- | --- | --- | --- | --- |");
            lines.addAll(rows);
            lines.add("");
        }
    }
}
