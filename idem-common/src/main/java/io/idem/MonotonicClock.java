package io.idem;

/** A clock that never runs backwards, for local deadlines. Thread-safe. */
@FunctionalInterface
public interface MonotonicClock {

    /** The clock of the JVM. */
    MonotonicClock SYSTEM = System::nanoTime;

    /** Returns the nanoseconds since an arbitrary moment; only differences have a meaning. */
    long nanoTime();
}
