package io.idem;

/** A clock that never runs backwards, for local deadlines. */
@FunctionalInterface
public interface MonotonicClock {

    /** The machine's. */
    MonotonicClock SYSTEM = System::nanoTime;

    /** Nanoseconds since an arbitrary moment; only differences mean something. */
    long nanoTime();
}
