package io.idem.workshop.chaos.report;

import java.util.Locale;

/**
 * A builder of an SVG drawing, readable on light and dark backgrounds, with a title and a description for screen
 * readers. Not thread-safe.
 */
final class Svg {

    private static final String STYLE =
            "text{font:12px sans-serif;fill:#1f2328}.t{font-size:15px;font-weight:600}.d{fill:#59636e}"
                    + ".g{stroke:#d1d9e0}.m{stroke:#bc4c00;stroke-dasharray:4 3}.p{fill:#0969da;fill-opacity:.55}.z{fill:#dafbe1}.n{fill:#ffebe9}"
                    + "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.d{fill:#9198a1}.g{stroke:#3d444d}.m{stroke:#ffa657}.p{fill:#58a6ff}"
                    + ".z{fill:#12331d}.n{fill:#5c1e1b}}";

    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;
    private final String title;
    private final String description;

    Svg(int width, int height, String title, String description) {
        this.width = width;
        this.height = height;
        this.title = title;
        this.description = description;
        text(0, 16, "t", "start", title);
        text(0, 34, "d", "start", description);
    }

    void text(double x, double y, String style, String anchor, String words) {
        add(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">%s</text>",
                x,
                y,
                style,
                anchor,
                escaped(words)));
    }

    void line(double fromX, double fromY, double toX, double toY, String style) {
        add(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>",
                fromX,
                fromY,
                toX,
                toY,
                style));
    }

    void dot(double x, double y) {
        add(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"p\"/>", x, y));
    }

    void box(double x, double y, double boxWidth, double boxHeight, String style) {
        add(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>",
                x,
                y,
                boxWidth,
                boxHeight,
                style));
    }

    private void add(String element) {
        body.append(element).append('\n');
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-labelledby=\"t d\">%n"
                        + "<title id=\"t\">%s</title>%n<desc id=\"d\">%s</desc>%n<style>%s</style>%n%s</svg>%n",
                width,
                height,
                width,
                escaped(title),
                escaped(description),
                STYLE,
                body);
    }
}
