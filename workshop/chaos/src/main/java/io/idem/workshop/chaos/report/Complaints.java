package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.check.Finding;
import io.idem.workshop.chaos.check.StepFinding;
import io.idem.workshop.chaos.worker.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds the targets that were missed. Pure functions. */
public final class Complaints {

    private static final int SHOWN = 5;

    private Complaints() {}

    /** Returns all complaints; empty if all is well. */
    public static List<String> of(List<PhaseFigures> phases, Map<String, Long> left) {
        List<String> complaints = new ArrayList<>();
        phases.forEach(phase -> of(phase, complaints));
        left.forEach((lane, messages) -> {
            if (messages != 0) {
                complaints.add("stuck: " + messages + " messages are left on " + lane);
            }
        });
        return List.copyOf(complaints);
    }

    private static void of(PhaseFigures phase, List<String> complaints) {
        if (!phase.drained()) {
            complaints.add("stuck: " + phase.faultClass().id() + " was not quiet in time");
        }
        if (phase.faults() == 0) {
            complaints.add("harness: no fault of " + phase.faultClass().id() + " happened");
        }
        for (LaneFigures lane : phase.lanes()) {
            of(phase, lane, complaints);
        }
        ofSteps(phase.faultClass().id(), phase.steps(), complaints);
    }

    private static void ofSteps(String faultClass, StepFinding steps, List<String> complaints) {
        String where = " (" + faultClass + "): ";
        complain("step with several keys" + where, steps.severalKeys(), complaints);
        complain("remembered step begun again" + where, steps.begunAgain(), complaints);
        complain("step called too often" + where, steps.calledTooOften(), complaints);
        complain("reconciled step landed again" + where, steps.landedAgain(), complaints);
        complain("step with another result" + where, steps.otherResults(), complaints);
    }

    private static void of(PhaseFigures phase, LaneFigures lane, List<String> complaints) {
        Finding finding = lane.finding();
        String where = " (" + phase.faultClass().id() + ", " + finding.lane() + "): ";
        complain("lost" + where, finding.lost(), complaints);
        complain("double" + where, doubled(lane), complaints);
        complain("phantom" + where, finding.phantoms(), complaints);
        complain("wrong replay" + where, finding.wrongReplays(), complaints);
        if (!phase.faultClass().makesDeadLetters()) {
            complain("dead letter" + where, finding.dead(), complaints);
        }
        complain("unanswered" + where, finding.unanswered(), complaints);
    }

    /** Returns complaints about duplicates; with Redis alone, only about those without a declared cause. */
    private static List<String> doubled(LaneFigures lane) {
        return Lane.of(lane.finding().lane()).inbox()
                ? lane.finding().doubled()
                : lane.doubles().stream()
                        .filter(each -> !each.cause().declared())
                        .map(each -> each.key() + " (" + each.evidence() + ")")
                        .toList();
    }

    private static void complain(String what, List<String> keys, List<String> complaints) {
        if (!keys.isEmpty()) {
            complaints.add(what + keys.size() + ", such as " + keys.subList(0, Math.min(SHOWN, keys.size())));
        }
    }
}
