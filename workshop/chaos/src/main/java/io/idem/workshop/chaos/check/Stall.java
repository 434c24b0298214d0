package io.idem.workshop.chaos.check;

/**
 * A time in which a process stood still, by its own watch.
 *
 * @param pid number of the process
 * @param from milliseconds since the epoch
 * @param to likewise, when it went on
 */
public record Stall(long pid, long from, long to) {

    /** How many milliseconds it lasted. */
    public long millis() {
        return to - from;
    }

    /** How many of them lie between two moments. */
    long within(long first, long last) {
        return Math.max(0, Math.min(to, last) - Math.max(from, first));
    }
}
