package io.idem.demo.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything about a run; written as JSON.
 *
 * @param passed whether nothing was lost, nothing doubled, and the story was one worth telling
 * @param complaints why not
 * @param seed from which the plan followed
 * @param payments that were planned
 * @param inbox whether the inbox protected payments
 * @param seconds from the start of the servers to the end of the check
 * @param storySeconds of these, from the first request until all was quiet
 * @param versions of everything
 * @param figures the table
 * @param consumers one finding for each
 * @param kills in their order
 * @param handlingMillis median time from grant to COMPLETED, by scope
 * @param inboxCost what the inbox costs, if it was measured
 */
public record Report(
        boolean passed,
        List<String> complaints,
        long seed,
        int payments,
        boolean inbox,
        double seconds,
        double storySeconds,
        Versions versions,
        Figures figures,
        List<Finding> consumers,
        List<Kill> kills,
        Map<String, Double> handlingMillis,
        @Nullable InboxCost inboxCost) {

    private static final int FEWEST_KILLS = 2;

    /** What is wrong with a run, in words; empty if nothing is. */
    public static List<String> complaints(Figures figures) {
        List<String> complaints = new ArrayList<>();
        none(complaints, figures.lost(), "lost");
        none(complaints, figures.doubled(), "doubled");
        none(complaints, figures.altered(), "took effect with another amount");
        none(complaints, figures.unexpected(), "took effect without being asked for");
        none(complaints, figures.differentAnswers(), "answered in two ways");
        some(complaints, figures.takeovers(), 1, "takeovers");
        some(complaints, figures.replayed(), 1, "replays");
        some(complaints, figures.mismatches(), 1, "mismatches");
        some(complaints, figures.kills(), FEWEST_KILLS, "kills");
        return List.copyOf(complaints);
    }

    private static void none(List<String> complaints, int count, String what) {
        if (count > 0) {
            complaints.add(count + " " + what);
        }
    }

    private static void some(List<String> complaints, int count, int fewest, String what) {
        if (count < fewest) {
            complaints.add("only " + count + " " + what + ": the story did not show what it is meant to show");
        }
    }
}
