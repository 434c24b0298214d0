package io.idem.workshop.chaos;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of trying all flaws, written as JSON.
 *
 * @param passed whether all flaws were caught and the unchanged library caused no complaint
 * @param caught number of flaws that were caught
 * @param of number of flaws that were tried
 * @param command command that repeats the run
 * @param seed seed of every random choice
 * @param seconds duration of the run
 * @param versions versions of all programs
 * @param complaintsOfSound complaints about the unchanged library under the same faults; empty if there are none
 * @param flaws results of the single flaws
 */
record ScoreReport(
        boolean passed,
        long caught,
        int of,
        String command,
        long seed,
        double seconds,
        List<String> versions,
        List<String> complaintsOfSound,
        List<Entry> flaws) {

    /**
     * The result of one flaw.
     *
     * @param flaw name of the flaw
     * @param breaks effect of the flaw
     * @param faultClass class of faults that it was tried with
     * @param faults number of faults
     * @param messages minimum number of messages on each lane
     * @param seconds duration of the load
     * @param caught whether a checker found it
     * @param complaints complaints of the checkers
     */
    record Entry(
            String flaw,
            String breaks,
            String faultClass,
            int faults,
            int messages,
            double seconds,
            boolean caught,
            List<String> complaints) {

        static Entry of(Exam exam, Trial.Verdict verdict) {
            return new Entry(
                    exam.flaw().id(),
                    exam.breaks(),
                    exam.faultClass().id(),
                    exam.faults(),
                    exam.messages(),
                    verdict.seconds(),
                    !verdict.complaints().isEmpty(),
                    verdict.complaints());
        }

        private String row() {
            return "| `" + flaw + "` | " + breaks + " | `" + faultClass + "` | " + faults + " | " + Math.round(seconds)
                    + " | " + (caught ? String.join("; ", counted()) : "NOT CAUGHT") + " |";
        }

        /** Returns the complaints without their examples. */
        private List<String> counted() {
            return complaints.stream()
                    .map(complaint -> complaint.replaceAll(", such as .*", ""))
                    .toList();
        }
    }

    static ScoreReport of(
            String command,
            long seed,
            double seconds,
            List<String> versions,
            List<String> complaintsOfSound,
            List<Entry> flaws) {
        long caught = flaws.stream().filter(Entry::caught).count();
        return new ScoreReport(
                caught == flaws.size() && complaintsOfSound.isEmpty(),
                caught,
                flaws.size(),
                command,
                seed,
                seconds,
                versions,
                complaintsOfSound,
                List.copyOf(flaws));
    }

    /** Returns the report as Markdown. */
    String text() {
        List<String> lines = new ArrayList<>();
        lines.add("`" + command + "`: caught " + caught + " of " + of + " flaws in " + Math.round(seconds) + " s, seed "
                + seed + "; the library as it is: " + (complaintsOfSound.isEmpty() ? "clean" : "NOT CLEAN") + ".");
        lines.add("");
        lines.add(String.join("; ", versions) + ".");
        lines.add("");
        lines.add("| flaw | what it breaks | faults | number | s | counted |");
        lines.add("| --- | --- | --- | ---: | ---: | --- |");
        flaws.forEach(flaw -> lines.add(flaw.row()));
        lines.add("");
        complaintsOfSound.forEach(complaint -> lines.add("- the library as it is: " + complaint));
        return String.join("\n", lines) + "\n";
    }
}
