package io.idem.benchmarks;

import io.idem.benchmarks.database.Ways;
import io.idem.benchmarks.report.BarChart;
import io.idem.benchmarks.report.Causes;
import io.idem.benchmarks.report.FigureTable;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.GoalTable;
import io.idem.benchmarks.report.Machine;
import io.idem.benchmarks.report.MeasuredPart;
import io.idem.benchmarks.report.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Writes the figures measured so far, for programs and for people, and into the documentation on request. */
final class Report {

    private final BenchOptions options;
    private final Machine machine;
    private final Figures figures;

    Report(BenchOptions options, Machine machine, Figures figures) {
        this.options = options;
        this.machine = machine;
        this.figures = figures;
    }

    String goals(Causes causes) {
        return new GoalTable(Goals.all(), causes).render(figures);
    }

    /** Replaces the report written before. */
    void write() throws IOException {
        Path output = options.output();
        new ResultFile(output.resolve("results.json")).write(machine, options.seed(), Goals.all(), figures);
        Files.writeString(output.resolve("report.md"), markdown(Causes.NONE));
        plots(output);
    }

    /** Writes the figures into a page of the documentation, and the plots beside it. */
    void publish(Path page) throws IOException {
        Path plots = page.resolveSibling("performance");
        Files.createDirectories(plots);
        plots(plots);
        new MeasuredPart(page).replace(markdown(Causes.of(page)));
    }

    private void plots(Path folder) throws IOException {
        for (Plot plot : plots()) {
            Files.writeString(folder.resolve(plot.name() + ".svg"), plot.chart().svg());
        }
    }

    private List<Plot> plots() {
        return List.of(
                        new Plot("ways", new WayTable(Ways.all(), figures).chart()),
                        new Plot("peers", new PeerTable(figures).chart()),
                        new Plot("listeners", new ListenerTable(figures).chart()))
                .stream()
                .filter(plot -> !plot.chart().bars().isEmpty())
                .toList();
    }

    private String markdown(Causes causes) {
        StringBuilder page = new StringBuilder(machine.line() + "; seed " + options.seed() + ".\n");
        section(page, "Goals", goals(causes), Optional.empty());
        section(page, "Beside what you would write", new WayTable(Ways.all(), figures).render(), plot("ways"));
        section(page, "Beside its peers", new PeerTable(figures).render(), plot("peers"));
        section(page, "Listeners", new ListenerTable(figures).render(), plot("listeners"));
        String newest = machine.facts().getOrDefault("newest JDK", "");
        section(page, "JDKs", new JdkTable(figures, newest).render(), Optional.empty());
        section(page, "Every figure", new FigureTable().render(figures), Optional.empty());
        return page.toString();
    }

    private static void section(StringBuilder page, String title, String table, Optional<Plot> plot) {
        page.append("\n### ").append(title).append("\n\n").append(table);
        plot.ifPresent(shown -> page.append("\n![")
                .append(shown.chart().title())
                .append("](performance/")
                .append(shown.name())
                .append(".svg)\n"));
    }

    private Optional<Plot> plot(String name) {
        return plots().stream().filter(plot -> plot.name().equals(name)).findFirst();
    }

    private record Plot(String name, BarChart chart) {}
}
