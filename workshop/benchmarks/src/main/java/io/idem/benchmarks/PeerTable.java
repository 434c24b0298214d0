package io.idem.benchmarks;

import io.idem.benchmarks.contestant.Contestants;
import io.idem.benchmarks.report.BarChart;
import io.idem.benchmarks.report.Figure;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.Numbers;
import java.util.Arrays;
import java.util.List;

/** idem beside its peers and floors, as a Markdown table and as a plot. */
record PeerTable(Figures figures) {

    private static final String SIXTEEN = "fresh, 16 callers: ";
    private static final String HEAD = """
            | one connection | p50 µs | p99 µs | 16 callers, /s | duplicates, 16 callers, /s | bytes allocated | does not protect against |
            | --- | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    String render() {
        StringBuilder table = new StringBuilder(HEAD);
        for (Contestants who : Contestants.values()) {
            table.append("| ").append(who.title());
            List.of(
                            "fresh, 1 caller: " + who + " p50",
                            "fresh, 1 caller: " + who + " p99",
                            SIXTEEN + who,
                            "duplicate, 16 callers: " + who,
                            "fresh, 1 caller, rate: " + who + " allocated")
                    .forEach(name -> table.append(" | ").append(text(name)));
            table.append(" | ").append(who.gap()).append(" |\n");
        }
        return table.toString();
    }

    private String text(String name) {
        return figures.of(name).map(Figure::median).map(Numbers::text).orElse("–");
    }

    BarChart chart() {
        List<BarChart.Bar> bars = Arrays.stream(Contestants.values())
                .flatMap(who -> figures.of(SIXTEEN + who).stream()
                        .map(figure -> new BarChart.Bar(
                                who.title(), figure.median(), who.name().startsWith("IDEM"))))
                .toList();
        return new BarChart("Claim and completion of new keys, 16 callers that wait", "/s", bars);
    }
}
