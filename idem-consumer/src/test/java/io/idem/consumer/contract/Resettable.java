package io.idem.consumer.contract;

/** A part of an application that tests may share, because it can forget what a test has done with it. */
public interface Resettable {

    /** Forgets everything, for the next test; called while no listener runs. A part without a state of its own has nothing to do. */
    default void reset() {}
}
