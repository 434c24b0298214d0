package io.idem.workshop.chaos.fault;

/**
 * How many faults of each class a round has: most of those that are rare and matter, few of those that take long. Pure functions.
 */
public final class Mix {

    /** Nine boundaries on each of four lanes. */
    private static final int EVERY_BOUNDARY = 36;

    private static final int OFTEN = 8;
    private static final int USUAL = 4;
    private static final int SELDOM = 2;
    private static final int RARELY = 1;

    private Mix() {}

    /** Where a class with the usual weight has {@code usual} faults; at least one. */
    public static int faults(FaultClass faultClass, int usual) {
        return Math.max(1, Math.round((float) usual * weight(faultClass) / USUAL));
    }

    private static int weight(FaultClass faultClass) {
        return switch (faultClass) {
            case KILL -> EVERY_BOUNDARY;
            case FREEZE, REPLY_CUT -> OFTEN;
            case STORM, REDRIVE, SLOW_WORK, BUSY, ZOMBIE, AMNESIA, FAILOVER, CLUSTER_FAILOVER -> SELDOM;
            case NONE, RABBIT_RESTART, KAFKA_RESTART, REWIND -> RARELY;
            default -> USUAL;
        };
    }
}
