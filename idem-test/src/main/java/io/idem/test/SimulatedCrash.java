package io.idem.test;

/**
 * Stands for the death of the process: from here on its attempt, and the thread that it is thrown on, write to the store no more. An
 * error, so that no retry and no handler of failures takes it for a failure of the work.
 */
final class SimulatedCrash extends Error {

    SimulatedCrash(CrashPoint point) {
        super("A crash at " + point + ", as the test asked for", null, false, false);
    }
}
