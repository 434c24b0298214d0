package io.idem.consumer.contract;

/** A part of an application that forgets what a test has done with it, so that the next test may use it. */
public interface Resettable {

    /** Forgets everything; called while no listener runs. Does nothing unless overridden, for parts without a state of their own. */
    default void reset() {}
}
