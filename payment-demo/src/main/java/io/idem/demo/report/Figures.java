package io.idem.demo.report;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;

/**
 * The table at the end: what clients saw, what was done to the system, what the workers said, and what the tables say.
 */
public record Figures(
        @JsonUnwrapped HttpFigures http,
        @JsonUnwrapped WorkerFigures workers,
        @JsonUnwrapped StepFigures steps,
        @JsonUnwrapped Outside outside,
        @JsonUnwrapped EffectFigures effects) {

    private static final int FEWEST_KILLS = 2;

    /**
     * The faults of the run, and the messages that were set aside.
     *
     * @param duplicatesPublished messages that were published a second time past the intake
     * @param kills consumer processes killed with SIGKILL
     * @param deadLetters messages in dead-letter queues and topics
     */
    public record Outside(int duplicatesPublished, int kills, int deadLetters) {}

    /** Returns the failures of a run with {@code store} in words; empty if there are none. */
    public List<String> complaints(Store store) {
        List<String> complaints = new ArrayList<>();
        none(complaints, effects.lost(), "lost");
        none(complaints, effects.doubled(), "doubled");
        none(complaints, effects.altered(), "took effect with another amount");
        none(complaints, effects.unexpected(), "took effect without being asked for");
        none(complaints, steps.repeated(), "called the bank again although its answer was remembered");
        none(complaints, effects.differentAnswers(), "answered in two ways");
        some(complaints, workers.afterDeaths(store), 1, store.afterDeaths());
        some(complaints, http.replayed(), 1, "replays");
        some(complaints, http.mismatches(), 1, "mismatches");
        some(complaints, outside.kills(), FEWEST_KILLS, "kills");
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
