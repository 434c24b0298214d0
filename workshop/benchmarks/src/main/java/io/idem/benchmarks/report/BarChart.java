package io.idem.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * A horizontal bar chart as a stand-alone SVG, with a title and a description for screen readers, every value as text,
 * and colours for light and dark pages.
 *
 * @param title the title of the chart
 * @param unit the unit of the values
 * @param bars the bars from top to bottom
 */
public record BarChart(String title, String unit, List<Bar> bars) {

    private static final int WIDTH = 760;
    private static final int LABELS = 250;
    private static final int VALUES = 110;
    private static final int ROW = 26;
    private static final int HEAD = 44;
    private static final String STYLE = """
            <style>
            text { font: 13px sans-serif; fill: #1f2328 } .head { font-weight: bold } rect { fill: #8c959f } .own { fill: #0969da }
            @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } rect { fill: #6e7681 } .own { fill: #4493f8 } }
            </style>
            """;

    /** A bar; {@code own} marks the bars of idem. */
    public record Bar(String label, double value, boolean own) {}

    /** Returns the chart as SVG. */
    public String svg() {
        int height = HEAD + ROW * bars.size();
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"t d\">%n",
                WIDTH,
                height));
        svg.append("<title id=\"t\">").append(escaped(title)).append("</title>\n");
        svg.append("<desc id=\"d\">").append(escaped(description())).append("</desc>\n");
        svg.append(STYLE);
        svg.append("<text class=\"head\" x=\"8\" y=\"24\">")
                .append(escaped(title))
                .append("</text>\n");
        for (int row = 0; row < bars.size(); row++) {
            svg.append(bar(bars.get(row), HEAD + row * ROW));
        }
        return svg.append("</svg>\n").toString();
    }

    private String description() {
        return String.join(
                "; ",
                bars.stream()
                        .map(bar -> bar.label() + ": " + Numbers.text(bar.value()) + " " + unit)
                        .toList());
    }

    private String bar(Bar bar, int top) {
        double longest = bars.stream().mapToDouble(Bar::value).max().orElse(1);
        double length = (WIDTH - LABELS - VALUES) * bar.value() / longest;
        int base = top + ROW / 2 + 1;
        return String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                        + "<rect%s x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/><text x=\"%.1f\" y=\"%d\">%s %s</text>%n",
                LABELS - 8,
                base,
                escaped(bar.label()),
                bar.own() ? " class=\"own\"" : "",
                LABELS,
                top,
                length,
                ROW - 8,
                LABELS + length + 6,
                base,
                Numbers.text(bar.value()),
                escaped(unit));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
