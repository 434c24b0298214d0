package io.idem.test;

/**
 * Simulates the death of the process: after it, neither its attempt nor the thread that it is thrown on writes to the
 * store. An {@code Error}, so that no retry and no error handler takes it for a failure of the work.
 */
final class SimulatedCrash extends Error {

    SimulatedCrash(CrashPoint point) {
        super("A crash at " + point + ", as the test asked for", null, false, false);
    }
}
