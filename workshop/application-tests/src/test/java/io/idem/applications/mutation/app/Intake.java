package io.idem.applications.mutation.app;

/** The part of an application that takes its orders and may be stopped. */
interface Intake {

    /** Whether its listener container has been stopped. */
    boolean isStopped();
}
