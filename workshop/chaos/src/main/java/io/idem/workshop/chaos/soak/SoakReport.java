package io.idem.workshop.chaos.soak;

import io.idem.workshop.chaos.check.Finding;
import io.idem.workshop.chaos.worker.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The report of a soak, written as JSON.
 *
 * @param passed whether nothing rose, and nothing was lost or duplicated
 * @param complaints targets that were missed
 * @param command command that repeats the run
 * @param minutes duration of the load
 * @param rate messages per second on each lane
 * @param faults number of faults during the load
 * @param versions versions of all programs
 * @param messages number of accepted messages
 * @param doubledWithRedisAlone keys with two effects on lanes without inbox
 * @param trends trend of each series
 * @param series all samples, taken every ten seconds
 */
public record SoakReport(
        boolean passed,
        List<String> complaints,
        String command,
        int minutes,
        int rate,
        int faults,
        List<String> versions,
        int messages,
        int doubledWithRedisAlone,
        List<TrendLine> trends,
        List<Plotted> series) {

    /**
     * The trend of a series after its warm-up, the first third.
     *
     * @param name name of the series
     * @param median median of the samples
     * @param rise rise from the first to the last sample, by a robust fit
     * @param tolerance allowed rise
     * @param leaks whether the rise exceeds the tolerance of a series that must be flat
     */
    public record TrendLine(String name, double median, double rise, double tolerance, boolean leaks) {

        static TrendLine of(Series series) {
            return new TrendLine(series.name(), series.median(), series.rise(), series.tolerance(), series.leaks());
        }

        private String row() {
            return String.format(
                    Locale.ROOT,
                    "| %s | %.1f | %+.1f | %.1f | %s |",
                    name,
                    median,
                    rise,
                    tolerance,
                    leaks ? "GROWS" : "");
        }
    }

    /**
     * The samples of a series.
     *
     * @param name name of the series
     * @param values samples in their order
     */
    public record Plotted(String name, List<Double> values) {}

    static SoakReport of(
            Soak.Plan plan, List<String> versions, int faults, List<Series> series, List<Finding> findings) {
        List<TrendLine> trends = series.stream().map(TrendLine::of).toList();
        List<String> complaints = complaints(trends, findings);
        return new SoakReport(
                complaints.isEmpty(),
                complaints,
                plan.command(),
                plan.minutes(),
                plan.rate(),
                faults,
                versions,
                findings.stream().mapToInt(Finding::accepted).sum(),
                findings.stream()
                        .filter(finding -> !Lane.of(finding.lane()).inbox())
                        .mapToInt(finding -> finding.doubled().size())
                        .sum(),
                trends,
                series.stream()
                        .map(one -> new Plotted(one.name(), one.values()))
                        .toList());
    }

    private static List<String> complaints(List<TrendLine> trends, List<Finding> findings) {
        List<String> complaints = new ArrayList<>();
        trends.stream().filter(TrendLine::leaks).forEach(trend -> complaints.add(trend.name() + " grows"));
        for (Finding finding : findings) {
            complain("lost", finding.lane(), finding.lost(), complaints);
            complain("double", finding.lane(), doubled(finding), complaints);
            complain("phantom", finding.lane(), finding.phantoms(), complaints);
            complain("wrong replay", finding.lane(), finding.wrongReplays(), complaints);
            complain("dead letter", finding.lane(), finding.dead(), complaints);
        }
        return List.copyOf(complaints);
    }

    /**
     * Returns complaints about duplicates. Mild faults may end a lease, so duplicates declared for Redis alone are only
     * counted here and judged by other runs of the laboratory.
     */
    private static List<String> doubled(Finding finding) {
        return Lane.of(finding.lane()).inbox() ? finding.doubled() : List.of();
    }

    private static void complain(String what, String lane, List<String> keys, List<String> complaints) {
        if (!keys.isEmpty()) {
            complaints.add(what + " (" + lane + "): " + keys.size());
        }
    }

    /** Returns the report as Markdown. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("`" + command + "`: " + (passed ? "passed" : "FAILED") + ". " + minutes + " minutes, " + rate
                + " messages per second on each lane, " + messages + " accepted, " + faults
                + " mild faults; " + doubledWithRedisAlone + " doubled with Redis alone.");
        lines.add("");
        lines.add(String.join("; ", versions) + ".");
        lines.add("");
        lines.add("| after the first third | median | rise | tolerance | |");
        lines.add("| --- | ---: | ---: | ---: | --- |");
        trends.forEach(trend -> lines.add(trend.row()));
        lines.add("");
        complaints.forEach(complaint -> lines.add("- " + complaint));
        return String.join("\n", lines) + "\n";
    }

    /** Returns the plot as SVG. */
    public String picture() {
        return new SoakPlot(series).svg();
    }
}
