package io.idem.benchmarks.database;

/**
 * The names of a way's figures.
 *
 * @param way the name of the way or of a control
 */
public record WayFigures(String way) {

    /** Returns the figure of the messages per second as a ratio to the control. */
    public String rate() {
        return way + ": messages/s of its control";
    }

    public String lowerQuartile() {
        return rate() + ", lower quartile";
    }

    public String upperQuartile() {
        return rate() + ", upper quartile";
    }

    /** Returns the figure of the CPU time per message as a ratio to the control. */
    public String cpu() {
        return way + ": CPU of its control";
    }

    public String messages() {
        return way + ": messages/s";
    }

    public String commits() {
        return way + ": commits per message";
    }

    public String roundTrips() {
        return way + ": round trips per message";
    }

    public String duplicate() {
        return way + ": round trips per duplicate";
    }

    /** Returns the figure of the share of HOT updates. */
    public String hot() {
        return way + ": HOT updates of idem_record";
    }
}
