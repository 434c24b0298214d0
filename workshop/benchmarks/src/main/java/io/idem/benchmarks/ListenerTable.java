package io.idem.benchmarks;

import io.idem.benchmarks.report.BarChart;
import io.idem.benchmarks.report.Figure;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.Numbers;
import java.util.Comparator;
import java.util.List;

/** The throughput of bare and guarded listeners, and the CPU time and memory that they cost their JVM. */
record ListenerTable(Figures figures) {

    private static final String CPU = " CPU";
    private static final String HEAD = """
            | listener, one consumer | messages/s | CPU of its JVM per message, µs | bytes allocated per message |
            | --- | ---: | ---: | ---: |
            """;

    String render() {
        StringBuilder table = new StringBuilder(HEAD);
        for (Figure figure : listeners()) {
            table.append("| ").append(figure.name()).append(" | ").append(Numbers.text(figure.median()));
            for (String what : List.of(CPU, " allocated")) {
                table.append(" | ")
                        .append(figures.of(figure.name() + what)
                                .map(Figure::median)
                                .map(Numbers::text)
                                .orElse("–"));
            }
            table.append(" |\n");
        }
        return table.toString();
    }

    BarChart chart() {
        List<BarChart.Bar> bars = listeners().stream()
                .flatMap(figure -> figures.of(figure.name() + CPU).stream()
                        .map(cpu -> new BarChart.Bar(
                                figure.name(), cpu.median(), figure.name().contains("IDEM"))))
                .toList();
        return new BarChart("CPU of the listener's JVM per message", "µs", bars);
    }

    private List<Figure> listeners() {
        return figures.all().stream()
                .filter(figure -> figures.of(figure.name() + CPU).isPresent())
                .sorted(Comparator.comparing(Figure::name))
                .toList();
    }
}
