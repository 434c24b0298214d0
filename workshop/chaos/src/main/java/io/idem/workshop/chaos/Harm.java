package io.idem.workshop.chaos;

import io.idem.workshop.chaos.check.Inquest.Hurt.Kind;
import io.idem.workshop.chaos.check.Stall;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.FaultRecord;
import java.util.EnumSet;
import java.util.Optional;

/**
 * Maps classes of faults to the consequences that can excuse a duplicate with Redis alone. Kills of workers are judged
 * by evidence of their own. Pure functions.
 */
final class Harm {

    private Harm() {}

    static Optional<Kind> of(FaultClass faultClass) {
        return switch (faultClass) {
            case FREEZE,
                    ZOMBIE,
                    REDIS_RESTART,
                    REDIS_FREEZE,
                    BLACK_HOLE,
                    REPLY_CUT,
                    REDIS_CUT,
                    FULL,
                    REFUSED_WRITES,
                    DEMOTED,
                    SLOW_SCRIPT -> Optional.of(Kind.STALLS);
            case CLOCK_JUMP -> Optional.of(Kind.ENDS_LEASES);
            case REDIS_LOSS, AMNESIA -> Optional.of(Kind.FORGETS);
            case FAILOVER, CLUSTER_FAILOVER -> Optional.of(Kind.STALLS_AND_FORGETS);
            default -> Optional.empty();
        };
    }

    /** Returns whether Redis may lose records that it had confirmed. */
    static boolean losesData(FaultClass faultClass) {
        return of(faultClass)
                .filter(kind -> kind == Kind.FORGETS || kind == Kind.STALLS_AND_FORGETS)
                .isPresent();
    }

    /** Returns whether a fault had stopped workers during a stall. */
    static boolean stops(FaultRecord fault, Stall stall) {
        return EnumSet.of(FaultClass.FREEZE, FaultClass.ZOMBIE).contains(fault.faultClass())
                && stall.from() <= fault.healedAt()
                && stall.to() >= fault.struckAt();
    }
}
