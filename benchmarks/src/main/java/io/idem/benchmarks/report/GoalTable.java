package io.idem.benchmarks.report;

import java.util.List;
import java.util.Optional;

/** The goals with their figures, as a Markdown table. */
public final class GoalTable {

    private final List<Goal> goals;

    /** A table of these goals. */
    public GoalTable(List<Goal> goals) {
        this.goals = List.copyOf(goals);
    }

    /** The table. */
    public String render(Figures figures) {
        StringBuilder table = new StringBuilder(
                "| # | what | goal | figure (rounds) | control | verdict |\n| --- | --- | --- | --- | --- | --- |\n");
        for (Goal goal : goals) {
            Optional<Figure> ratio = goal.ratio(figures);
            table.append("| ").append(goal.id()).append(" | ").append(goal.what());
            table.append(" | ")
                    .append(goal.bound())
                    .append(" | ")
                    .append(ratio.map(GoalTable::text).orElse("–"));
            table.append(" | ")
                    .append(goal.against())
                    .append(" | ")
                    .append(goal.verdict(figures).text());
            table.append(" |\n");
        }
        return table.toString();
    }

    private static String text(Figure ratio) {
        return "**" + Numbers.text(ratio.median()) + "×** (" + Numbers.text(ratio.low()) + "–"
                + Numbers.text(ratio.high()) + ")";
    }
}
