package io.idem.benchmarks;

import io.idem.benchmarks.report.Figures;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Random;

/** Measures a schedule round by round and prints the progress. */
final class Rounds {

    private static final double NANOS = 1e9;

    private final Schedule schedule;
    private final Figures figures;
    private final Notes notes;
    private final PrintStream out;
    private final Progress progress;

    Rounds(Schedule schedule, Figures figures, Notes notes, PrintStream out) {
        this.schedule = schedule;
        this.figures = figures;
        this.notes = notes;
        this.out = out;
        this.progress = new Progress(schedule.seconds());
    }

    /** Writes the figures measured so far. */
    interface Notes {

        void write() throws IOException;
    }

    /** Returns whether everything could be measured. */
    boolean measure(Random order) throws IOException {
        boolean complete = true;
        for (int round = 1; round <= schedule.rounds(); round++) {
            figures.begin(round);
            for (Suite suite : schedule.round(round, order)) {
                long start = System.nanoTime();
                complete &= measured(suite, order);
                notes.write();
                say(round, suite, (System.nanoTime() - start) / NANOS);
            }
        }
        return complete;
    }

    /**
     * Measures a suite and returns whether all its figures were measured. A failure, even an {@link Error}, does not
     * keep the other suites from being measured.
     */
    private boolean measured(Suite suite, Random order) {
        try {
            suite.round(figures, order);
            return true;
        } catch (Exception | Error failed) {
            out.println("bench: " + suite.name() + " failed");
            failed.printStackTrace(out);
            return false;
        }
    }

    private void say(int round, Suite suite, double seconds) {
        progress.done(suite.seconds(), seconds);
        out.printf(
                "round %d: %s, %.0f s of %d planned; about %d minutes left%n",
                round, suite.name(), seconds, suite.seconds(), progress.minutesLeft());
    }
}
