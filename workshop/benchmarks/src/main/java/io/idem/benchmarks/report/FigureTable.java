package io.idem.benchmarks.report;

import java.util.Comparator;
import java.util.List;

/** A Markdown table of every figure, sorted by name so that two runs can be compared. */
public final class FigureTable {

    public String render(Figures figures) {
        StringBuilder table =
                new StringBuilder("| figure | median | low to high | rounds | |\n| --- | ---: | ---: | ---: | --- |\n");
        for (Figure figure : byName(figures)) {
            table.append("| ").append(figure.name()).append(" | ").append(Numbers.text(figure.median()));
            table.append(" | ").append(Numbers.text(figure.low())).append(" – ").append(Numbers.text(figure.high()));
            table.append(" | ").append(figure.rounds().size());
            table.append(" | ").append(figure.unit()).append(" |\n");
        }
        return table.toString();
    }

    private static List<Figure> byName(Figures figures) {
        return figures.all().stream().sorted(Comparator.comparing(Figure::name)).toList();
    }
}
