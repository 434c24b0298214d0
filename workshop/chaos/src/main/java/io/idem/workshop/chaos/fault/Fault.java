package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.worker.Lane;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A fault of a stage. Returns when the stage has recovered or recovers without help. */
interface Fault {

    /** Injects the fault once; empty if its moment did not come. */
    Optional<FaultRecord> strike(FaultClass faultClass, Blow blow);

    /** A fault that always succeeds and holds up no particular key. */
    interface Plain {
        /** Injects the fault once and returns a description of it. */
        String strike(Blow blow);
    }

    /** A fault of one lane that always succeeds and holds up no particular key. */
    interface OnLane {

        /** Injects the fault once and returns a description of it. */
        String strike(Blow blow, Lane lane);
    }

    /** Returns a fault that strikes one of these lanes. */
    static Fault onOne(Function<Blow, List<Lane>> lanes, OnLane fault) {
        return (faultClass, blow) -> {
            long struckAt = System.currentTimeMillis();
            Lane lane = blow.next(lanes.apply(blow));
            return Optional.of(FaultRecord.of(faultClass, fault.strike(blow, lane), struckAt, lane));
        };
    }

    /** Returns a fault that strikes all lanes of its class. */
    static Fault plain(Plain plain) {
        return (faultClass, blow) -> {
            long struckAt = System.currentTimeMillis();
            return Optional.of(FaultRecord.of(faultClass, plain.strike(blow), struckAt));
        };
    }
}
