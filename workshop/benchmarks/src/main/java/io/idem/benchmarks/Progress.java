package io.idem.benchmarks;

/**
 * Estimates how long a run will still take from the time that its parts took so far on this machine. Not thread-safe.
 */
final class Progress {

    private static final double SECONDS_PER_MINUTE = 60;

    private final int planned;
    private int plannedOfDone;
    private double taken;

    /** Creates the progress of a run that is planned to take that many seconds. */
    Progress(int planned) {
        this.planned = planned;
    }

    /** Adds a finished part with its planned and its actual duration. */
    void done(int plannedSeconds, double takenSeconds) {
        plannedOfDone += plannedSeconds;
        taken += takenSeconds;
    }

    /** Returns the minutes that are left, rounded up. */
    int minutesLeft() {
        double pace = plannedOfDone == 0 ? 1 : taken / plannedOfDone;
        return (int) Math.ceil((planned - plannedOfDone) * pace / SECONDS_PER_MINUTE);
    }
}
