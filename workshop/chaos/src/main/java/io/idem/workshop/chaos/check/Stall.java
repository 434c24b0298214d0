package io.idem.workshop.chaos.check;

/**
 * A period in which a process stood still, measured by the process itself.
 *
 * @param pid process id
 * @param from start in milliseconds since the epoch
 * @param to end in milliseconds since the epoch
 */
public record Stall(long pid, long from, long to) {

    /** Returns the duration in milliseconds. */
    public long millis() {
        return to - from;
    }

    /** Returns the part of the duration that lies between two moments, in milliseconds. */
    long within(long first, long last) {
        return Math.max(0, Math.min(to, last) - Math.max(from, first));
    }
}
