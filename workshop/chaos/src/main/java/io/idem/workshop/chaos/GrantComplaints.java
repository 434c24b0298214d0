package io.idem.workshop.chaos;

import io.idem.workshop.chaos.check.Effect;
import io.idem.workshop.chaos.check.GrantCheck;
import io.idem.workshop.chaos.check.Grants;
import io.idem.workshop.chaos.check.Ledger;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.Redrive;
import io.idem.workshop.chaos.worker.StoreKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Checks which promises about grants a phase broke. */
final class GrantComplaints {

    private static final int SHOWN = 5;

    /** Classes of faults in which a claim may end, and be made by another worker, before its first owner logs it. */
    private static final Set<FaultClass> LOGGED_LATE = EnumSet.of(
            FaultClass.ZOMBIE,
            FaultClass.DB_RESTART,
            FaultClass.DB_CUT,
            FaultClass.DB_BLACK_HOLE,
            FaultClass.COMMIT_CUT,
            FaultClass.SESSION_KILL);

    private final Grants grants;
    private final Ledger ledger;

    GrantComplaints(Grants grants, Ledger ledger) {
        this.grants = grants;
        this.ledger = ledger;
    }

    List<String> of(Phase.Outcome outcome) {
        List<String> complaints = new ArrayList<>();
        String prefix = outcome.prefix() + ".";
        FaultClass faultClass = outcome.faultClass();
        List<Effect> effects = ledger.effects(prefix);
        complain("one fence for two effects", faultClass, GrantCheck.sharedFences(effects), complaints);
        if (outcome.store() == StoreKind.INBOX) {
            complainAboutRows(faultClass, prefix, effects, complaints);
        } else if (!Harm.losesData(faultClass)) {
            complain("record begun anew", faultClass, GrantCheck.begunAnew(grants.of(prefix)), complaints);
        }
        if (faultClass == FaultClass.REPLY_CUT) {
            complain("attempt used up by a lost reply", faultClass, GrantCheck.laterAttempts(effects), complaints);
        }
        return complaints;
    }

    /** Claims of rows leave nothing behind when they are not committed, but failures that were counted do. */
    private void complainAboutRows(
            FaultClass faultClass, String prefix, List<Effect> effects, List<String> complaints) {
        if (!LOGGED_LATE.contains(faultClass)) {
            complain(
                    "fence not above that of an earlier claim",
                    faultClass,
                    GrantCheck.repeatedFences(grants.of(prefix)),
                    complaints);
        }
        if (faultClass == FaultClass.REDRIVE) {
            complain(
                    "failed attempts not counted",
                    faultClass,
                    GrantCheck.firstAttempts(effects, Redrive.NAME),
                    complaints);
        }
    }

    private static void complain(String what, FaultClass where, List<String> keys, List<String> complaints) {
        if (!keys.isEmpty()) {
            complaints.add(what + " (" + where.id() + "): " + keys.size() + ", such as "
                    + keys.subList(0, Math.min(SHOWN, keys.size())));
        }
    }
}
