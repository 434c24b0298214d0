package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.worker.Lane;
import java.util.List;
import java.util.Optional;

/** One way to hurt a stage. Returns when the stage is whole again, or on its way there by itself. */
interface Fault {

    /** Does it once; empty if the moment did not come. */
    Optional<FaultRecord> strike(FaultClass faultClass, Blow blow);

    /** A fault that always succeeds and holds up nobody in particular. */
    interface Plain {
        /** Does it once and says what it did. */
        String strike(Blow blow);
    }

    /** The same on one lane. */
    interface OnLane {

        /** Does it once and says what it did. */
        String strike(Blow blow, Lane lane);
    }

    /** It as a fault of one of these lanes. */
    static Fault onOne(List<Lane> lanes, OnLane fault) {
        return (faultClass, blow) -> {
            long struckAt = System.currentTimeMillis();
            Lane lane = blow.next(lanes);
            return Optional.of(FaultRecord.of(faultClass, fault.strike(blow, lane), struckAt, lane));
        };
    }

    /** It as a fault. */
    static Fault plain(Plain plain) {
        return (faultClass, blow) -> {
            long struckAt = System.currentTimeMillis();
            return Optional.of(FaultRecord.of(faultClass, plain.strike(blow), struckAt));
        };
    }
}
