package io.idem.workshop.chaos;

import java.util.ArrayList;
import java.util.List;

/**
 * How many known-wrong variants the checkers saw; written as JSON.
 *
 * @param passed whether all were seen, and nothing in the library as it is
 * @param caught so many were seen
 * @param of so many
 * @param command that repeats it
 * @param seed source of every choice
 * @param seconds from start to end
 * @param versions of everything
 * @param complaintsOfSound what was seen in the library as it is under the same faults; nothing, if all is well
 * @param flaws one by one
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
     * A flaw.
     *
     * @param flaw which
     * @param breaks what goes wrong with it
     * @param faultClass that it was tried with
     * @param faults of that class
     * @param messages at least, on each lane
     * @param seconds with load
     * @param caught whether a checker saw it
     * @param complaints what they saw
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

        /** Without the examples. */
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

    /** As Markdown. */
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
