package io.idem.workshop.chaos.report;

import java.util.List;
import java.util.Locale;

/**
 * Durations as dots on a time axis, with a row for each group.
 *
 * @param title title of the plot
 * @param description description of the content
 * @param rows rows from top to bottom
 * @param markMillis position of the vertical line
 */
record DotPlot(String title, String description, List<Row> rows, double markMillis) {

    private static final int WIDTH = 860;
    private static final int LEFT = 210;
    private static final int RIGHT = 20;
    private static final int TOP = 56;
    private static final int ROW = 18;
    private static final int TICKS = 5;
    private static final double SECOND = 1_000;

    /**
     * A row of dots.
     *
     * @param name label of the row
     * @param millis durations of the group
     */
    record Row(String name, List<Long> millis) {}

    String svg() {
        Svg svg = new Svg(WIDTH, bottom() + 30, title, description);
        double end = end();
        for (int tick = 0; tick <= TICKS; tick++) {
            double x = x(end * tick / TICKS, end);
            svg.line(x, TOP - 8, x, bottom(), "g");
            svg.text(
                    x, bottom() + 16, "d", "middle", String.format(Locale.ROOT, "%.1f s", end * tick / TICKS / SECOND));
        }
        svg.line(x(markMillis, end), TOP - 8, x(markMillis, end), bottom(), "m");
        for (int number = 0; number < rows.size(); number++) {
            draw(svg, rows.get(number), TOP + number * ROW + ROW / 2.0, end);
        }
        return svg.toString();
    }

    private static void draw(Svg svg, Row row, double y, double end) {
        svg.text(LEFT - 10, y + 4, "d", "end", row.name());
        row.millis().forEach(millis -> svg.dot(x(millis, end), y));
    }

    private int bottom() {
        return TOP + Math.max(1, rows.size()) * ROW;
    }

    /** Returns the end of the axis: a whole number of seconds beyond all dots and the line. */
    private double end() {
        double longest = rows.stream()
                .flatMap(row -> row.millis().stream())
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        return Math.ceil(Math.max(longest, markMillis) * 1.02 / SECOND) * SECOND;
    }

    private static double x(double millis, double end) {
        return LEFT + millis / end * (WIDTH - LEFT - RIGHT);
    }
}
