package io.idem.workshop.chaos.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plot with a panel for each series, with axes that start at zero, in the colour of the surrounding text. */
record SoakPlot(List<SoakReport.Plotted> series) {

    private static final int COLUMNS = 3;
    private static final int WIDTH = 240;
    private static final int HEIGHT = 90;
    private static final int LINE = 50;
    private static final int MARGIN = 10;
    private static final int CAPTION = 16;

    String svg() {
        int rows = (series.size() + COLUMNS - 1) / COLUMNS;
        List<String> lines = new ArrayList<>();
        lines.add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + COLUMNS * WIDTH + " " + rows * HEIGHT
                        + "\" role=\"img\" aria-labelledby=\"title desc\" style=\"color:#777\" font-family=\"sans-serif\" font-size=\"10\">");
        lines.add("<title id=\"title\">Soak</title>");
        lines.add("<desc id=\"desc\">One panel for each series, each from zero to its largest value: "
                + String.join(
                        "; ", series.stream().map(SoakReport.Plotted::name).toList()) + "</desc>");
        for (int index = 0; index < series.size(); index++) {
            lines.addAll(panel(series.get(index), index % COLUMNS * WIDTH + MARGIN, index / COLUMNS * HEIGHT + MARGIN));
        }
        lines.add("</svg>");
        return String.join("\n", lines) + "\n";
    }

    private static List<String> panel(SoakReport.Plotted plotted, int left, int top) {
        double most =
                plotted.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        int bottom = top + CAPTION + LINE;
        return List.of(
                "<text x=\"" + left + "\" y=\"" + (top + MARGIN) + "\" fill=\"currentColor\">" + plotted.name()
                        + ": at most " + String.format(Locale.ROOT, "%.0f", most) + "</text>",
                "<path d=\"M" + left + " " + bottom + "h" + (WIDTH - 2 * MARGIN)
                        + "\" stroke=\"currentColor\" stroke-opacity=\"0.4\" fill=\"none\"/>",
                "<polyline points=\"" + points(plotted.values(), left, bottom, most)
                        + "\" stroke=\"currentColor\" fill=\"none\"/>");
    }

    private static String points(List<Double> values, int left, int bottom, double most) {
        List<String> points = new ArrayList<>();
        double step = (WIDTH - 2.0 * MARGIN) / Math.max(1, values.size() - 1);
        for (int index = 0; index < values.size(); index++) {
            double height = most == 0 ? 0 : values.get(index) / most * LINE;
            points.add(String.format(Locale.ROOT, "%.1f,%.1f", left + index * step, bottom - height));
        }
        return String.join(" ", points);
    }
}
