package io.idem.benchmarks;

import io.idem.benchmarks.report.Figure;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.Numbers;
import java.util.List;

/** The figures of one caller on the JDK of the run and on the newest one. */
record JdkTable(Figures figures, String newest) {

    String render() {
        StringBuilder table = new StringBuilder("| one caller, new keys | p50 µs, JDK ")
                .append(Runtime.version().feature())
                .append(" | p50 µs, ")
                .append(newest)
                .append(" |\n| --- | ---: | ---: |\n");
        for (String who : List.of("TWO_PINGS", "TWO_SETS", "IDEM")) {
            table.append("| ").append(who);
            table.append(" | ").append(text("fresh, 1 caller: " + who + " p50"));
            table.append(" | ")
                    .append(text("fresh, 1 caller, newest JDK: " + who + " p50"))
                    .append(" |\n");
        }
        return table.toString();
    }

    private String text(String name) {
        return figures.of(name).map(Figure::median).map(Numbers::text).orElse("–");
    }
}
