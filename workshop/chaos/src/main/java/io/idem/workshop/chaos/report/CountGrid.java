package io.idem.workshop.chaos.report;

import java.util.List;

/**
 * A grid of counts that should be zero.
 *
 * @param title title of the grid
 * @param description description of the content
 * @param columns names of the columns
 * @param rows rows from top to bottom
 */
record CountGrid(String title, String description, List<String> columns, List<Row> rows) {

    private static final int LEFT = 150;
    private static final int COLUMN = 140;
    private static final int TOP = 66;
    private static final int ROW = 20;

    /**
     * A row of the grid.
     *
     * @param name label of the row
     * @param counts one count for each column
     */
    record Row(String name, List<Integer> counts) {}

    String svg() {
        Svg svg = new Svg(LEFT + columns.size() * COLUMN, TOP + rows.size() * ROW + 10, title, description);
        for (int column = 0; column < columns.size(); column++) {
            svg.text(middle(column), TOP - 8, "d", "middle", columns.get(column));
        }
        for (int number = 0; number < rows.size(); number++) {
            draw(svg, rows.get(number), TOP + number * ROW);
        }
        return svg.toString();
    }

    private static void draw(Svg svg, Row row, double y) {
        svg.text(LEFT - 10, y + 14, "d", "end", row.name());
        for (int column = 0; column < row.counts().size(); column++) {
            int count = row.counts().get(column);
            svg.box(LEFT + column * COLUMN + 1, y + 1, COLUMN - 2, ROW - 2, count == 0 ? "z" : "n");
            svg.text(middle(column), y + 14, "", "middle", Integer.toString(count));
        }
    }

    private static double middle(int column) {
        return LEFT + (column + 0.5) * COLUMN;
    }
}
