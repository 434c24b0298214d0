package io.idem.benchmarks.report;

import java.util.List;

/** A Markdown table of goals with their figures. */
public final class GoalTable {

    private final List<Goal> goals;
    private final Causes causes;

    /** Creates a table of these goals. */
    public GoalTable(List<Goal> goals, Causes causes) {
        this.goals = List.copyOf(goals);
        this.causes = causes;
    }

    public String render(Figures figures) {
        StringBuilder table = new StringBuilder(
                "| # | what | goal | figure (rounds) | control | verdict |\n| --- | --- | --- | --- | --- | --- |\n");
        for (Goal goal : goals) {
            List<String> cells = List.of(
                    goal.id(),
                    goal.what(),
                    goal.bound().text(goal.unit()),
                    goal.ratio(figures).map(ratio -> text(ratio, goal.unit())).orElse("–"),
                    goal.against(),
                    causes.text(goal, goal.verdict(figures)));
            table.append("| ").append(String.join(" | ", cells)).append(" |\n");
        }
        return table.toString();
    }

    private static String text(Figure ratio, String unit) {
        return "**" + Numbers.text(ratio.median()) + unit + "** (" + Numbers.text(ratio.low()) + "–"
                + Numbers.text(ratio.high()) + ")";
    }
}
