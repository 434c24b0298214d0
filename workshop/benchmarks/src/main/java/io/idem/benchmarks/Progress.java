package io.idem.benchmarks;

/** How long a run goes on, by what its parts took so far on this machine. Not thread-safe. */
final class Progress {

    private static final double SECONDS_PER_MINUTE = 60;

    private final int planned;
    private int plannedOfDone;
    private double taken;

    /** A run that is planned to take so many seconds. */
    Progress(int planned) {
        this.planned = planned;
    }

    /** So many seconds were planned for what is done, so many it took. */
    void done(int plannedSeconds, double takenSeconds) {
        plannedOfDone += plannedSeconds;
        taken += takenSeconds;
    }

    /** Rounded up. */
    int minutesLeft() {
        double pace = plannedOfDone == 0 ? 1 : taken / plannedOfDone;
        return (int) Math.ceil((planned - plannedOfDone) * pace / SECONDS_PER_MINUTE);
    }
}
