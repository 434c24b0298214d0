package io.idem.benchmarks.database;

import io.idem.benchmarks.report.Figures;

/** A way and its control, which are measured beside each other. A new way is a class of its own with this interface. */
public interface Comparison {

    /** The control of most ways. */
    String ROW = "the hand-written row";

    /** Returns the name in figures and tables. */
    String name();

    default String control() {
        return ROW;
    }

    /** Returns what a table says of the way beside its figures. */
    String remark();

    /** Returns whether the way is one of idem and not a peer's. */
    default boolean own() {
        return true;
    }

    /** Opens the control in this empty database. */
    default Way openControl(Place place, WayDatabase database) throws Exception {
        return new HandWrittenRow(database, 0);
    }

    /** Opens the way in this empty database. */
    Way open(Place place, WayDatabase database) throws Exception;

    /** Returns the plan of this way; by default that of all ways. */
    default PairPlan plan(PairPlan usual) {
        return usual;
    }

    /** Adds further figures after the measurement. */
    default void addFigures(Figures figures, Way way, WayDatabase database) throws Exception {}
}
