package io.idem.applications.mutation.app;

/** What takes orders. */
interface Intake {

    /** Whether its listener container has been stopped. */
    boolean isStopped();
}
