package io.idem.benchmarks.report;

/** Every figure as it was measured, as a Markdown table. */
public final class FigureTable {

    /** The table. */
    public String render(Figures figures) {
        StringBuilder table =
                new StringBuilder("| figure | median | low to high | rounds | |\n| --- | ---: | ---: | ---: | --- |\n");
        for (Figure figure : figures.all()) {
            table.append("| ").append(figure.name()).append(" | ").append(Numbers.text(figure.median()));
            table.append(" | ").append(Numbers.text(figure.low())).append(" – ").append(Numbers.text(figure.high()));
            table.append(" | ").append(figure.rounds().size());
            table.append(" | ").append(figure.unit()).append(" |\n");
        }
        return table.toString();
    }
}
