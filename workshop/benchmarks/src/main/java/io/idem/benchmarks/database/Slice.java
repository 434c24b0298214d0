package io.idem.benchmarks.database;

/**
 * One slice of a way.
 *
 * @param messages the number of handled messages
 * @param nanos the time that they took
 * @param cpuNanos the CPU time of this JVM and of the servers meanwhile
 */
record Slice(long messages, long nanos, long cpuNanos) {

    private static final double NANOS_PER_SECOND = 1e9;

    /** Returns the messages per second. */
    double rate() {
        return messages * NANOS_PER_SECOND / nanos;
    }

    /** Returns the CPU nanoseconds per message. */
    double cpu() {
        return (double) cpuNanos / messages;
    }
}
