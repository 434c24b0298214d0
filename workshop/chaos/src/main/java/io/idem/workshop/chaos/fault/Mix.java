package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.worker.StoreKind;

/**
 * Computes the number of faults of each class in a round: many of rare and important classes, few of slow ones. Pure
 * functions.
 */
public final class Mix {

    /** Nine boundaries on four lanes, and two of steps on the two lanes with steps. */
    private static final int EVERY_BOUNDARY = 40;

    /** Product of seven boundaries and two lanes, each twice. */
    private static final int EVERY_BOUNDARY_ALONE = 28;

    private static final int OFTEN = 8;
    private static final int USUAL = 4;
    private static final int SELDOM = 2;
    private static final int RARELY = 1;

    private Mix() {}

    /**
     * Returns the number of faults of a class, at least one, in a round where a class of the usual weight has
     * {@code usual}.
     */
    public static int faults(FaultClass faultClass, int usual, StoreKind store) {
        return Math.max(1, Math.round((float) usual * weight(faultClass, store) / USUAL));
    }

    private static int weight(FaultClass faultClass, StoreKind store) {
        return switch (faultClass) {
            case KILL -> store == StoreKind.INBOX ? EVERY_BOUNDARY_ALONE : EVERY_BOUNDARY;
            case FREEZE, REPLY_CUT, COMMIT_CUT, SESSION_KILL -> OFTEN;
            case STORM,
                    REDRIVE,
                    SLOW_WORK,
                    BUSY,
                    ZOMBIE,
                    AMNESIA,
                    FAILOVER,
                    CLUSTER_FAILOVER,
                    DB_RESTART,
                    BAD_DESTINATION,
                    TENANTS -> SELDOM;
            case NONE, RABBIT_RESTART, KAFKA_RESTART, REWIND -> RARELY;
            default -> USUAL;
        };
    }
}
