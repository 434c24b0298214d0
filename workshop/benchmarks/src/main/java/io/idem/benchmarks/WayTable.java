package io.idem.benchmarks;

import io.idem.benchmarks.database.Comparison;
import io.idem.benchmarks.database.WayFigures;
import io.idem.benchmarks.report.BarChart;
import io.idem.benchmarks.report.Figure;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.Numbers;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Every way beside what a user would write by hand, as a Markdown table and as a plot. */
record WayTable(List<Comparison> comparisons, Figures figures) {

    private static final String NONE = "–";
    private static final String HEAD = """
            | way | messages/s, of its control | CPU per message, of its control | commits | round trips | of a duplicate | control | remark |
            | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |
            """;

    String render() {
        StringBuilder table = new StringBuilder(HEAD);
        controls().forEach(control -> row(table, control, NONE, NONE, NONE, "the control"));
        measured().forEach(comparison -> {
            WayFigures names = new WayFigures(comparison.name());
            row(table, comparison.name(), ratio(names), text(names.cpu()), comparison.control(), comparison.remark());
        });
        return table.toString();
    }

    private void row(StringBuilder table, String way, String ratio, String cpu, String control, String remark) {
        WayFigures names = new WayFigures(way);
        List<String> cells = List.of(
                way,
                ratio,
                cpu,
                text(names.commits()),
                text(names.roundTrips()),
                text(names.duplicate()),
                control,
                remark);
        table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private String ratio(WayFigures names) {
        return "**" + text(names.rate()) + "** (" + text(names.lowerQuartile()) + "–" + text(names.upperQuartile())
                + ")";
    }

    private String text(String name) {
        return figures.of(name).map(Figure::median).map(Numbers::text).orElse(NONE);
    }

    private List<Comparison> measured() {
        return comparisons.stream()
                .filter(comparison -> rate(comparison).isPresent())
                .toList();
    }

    private Set<String> controls() {
        Set<String> controls = new LinkedHashSet<>();
        measured().forEach(comparison -> controls.add(comparison.control()));
        return controls;
    }

    private Optional<Figure> rate(Comparison comparison) {
        return figures.of(new WayFigures(comparison.name()).rate());
    }

    BarChart chart() {
        List<BarChart.Bar> bars = measured().stream()
                .map(comparison -> new BarChart.Bar(
                        comparison.name(), rate(comparison).orElseThrow().median(), comparison.own()))
                .toList();
        return new BarChart("Messages per second of what one would write by hand", "×", bars);
    }
}
