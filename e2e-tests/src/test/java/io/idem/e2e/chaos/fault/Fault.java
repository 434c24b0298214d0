package io.idem.e2e.chaos.fault;

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

    /** It as a fault. */
    static Fault plain(Plain plain) {
        return (faultClass, blow) -> {
            long struckAt = System.currentTimeMillis();
            return Optional.of(FaultRecord.of(faultClass, plain.strike(blow), struckAt));
        };
    }
}
