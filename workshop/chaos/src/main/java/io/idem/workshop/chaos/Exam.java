package io.idem.workshop.chaos;

import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.worker.Flaw;
import java.util.List;

/**
 * The trial of a flaw: the class of faults that should reveal it, and the amount of load and faults needed for that.
 *
 * @param flaw flaw to be revealed
 * @param breaks effect of the flaw
 * @param faultClass class of faults that should reveal it
 * @param faults number of faults
 * @param messages minimum number of messages on each lane
 */
record Exam(Flaw flaw, String breaks, FaultClass faultClass, int faults, int messages) {

    static final List<Exam> ALL = List.of(
            new Exam(Flaw.SHARED_SECTION, "the consumer takes its message for a duplicate", FaultClass.NONE, 1, 50),
            new Exam(
                    Flaw.BUSY_ACKNOWLEDGED,
                    "a message whose owner dies is acknowledged by another worker",
                    FaultClass.KILL,
                    6,
                    100),
            new Exam(
                    Flaw.OWNER_UNCHECKED,
                    "a worker that lost its lease renews it and commits beside its successor",
                    FaultClass.ZOMBIE,
                    8,
                    100),
            new Exam(
                    Flaw.DELETE_ON_CLEAR,
                    "fence and attempts are forgotten with every failure",
                    FaultClass.REDRIVE,
                    2,
                    50),
            new Exam(Flaw.NO_RENEWAL, "slow work is done beside itself", FaultClass.SLOW_WORK, 2, 50),
            new Exam(Flaw.COMPLETE_FORGOTTEN, "duplicates of finished work run", FaultClass.DUPLICATE, 4, 100),
            new Exam(Flaw.ACKNOWLEDGE_FIRST, "what a worker holds dies with it", FaultClass.KILL, 3, 100),
            new Exam(
                    Flaw.COMPLETE_BEFORE_CONFIRM,
                    "clients are told 202 for messages that went nowhere",
                    FaultClass.UNBOUND,
                    4,
                    100),
            new Exam(
                    Flaw.NEW_TOKEN_PER_RETRY,
                    "a repeated ACQUIRE finds itself in progress and waits for its own lease",
                    FaultClass.REPLY_CUT,
                    40,
                    200),
            new Exam(Flaw.COUNTER_FENCE, "two owners have one fence", FaultClass.AMNESIA, 2, 100),
            new Exam(
                    Flaw.REPEATED_ACQUIRE,
                    "an ACQUIRE that is executed twice finds itself in progress",
                    FaultClass.REPLY_CUT,
                    40,
                    200),
            new Exam(Flaw.TTL_AS_LEASE, "a takeover is not seen to be one", FaultClass.KILL, 6, 100),
            new Exam(
                    Flaw.STEP_FORGOTTEN,
                    "what a step did is done again by the next attempt",
                    FaultClass.REDRIVE,
                    4,
                    50));

    /** Returns the trials of one flaw, or of all flaws if none is named. */
    static List<Exam> of(Flaw flaw) {
        return ALL.stream()
                .filter(exam -> flaw == Flaw.NONE || exam.flaw == flaw)
                .toList();
    }

    /** Returns one trial of the unchanged library for each class of faults in these trials, at its largest size. */
    static List<Exam> sound(List<Exam> flaws) {
        return flaws.stream()
                .map(Exam::faultClass)
                .distinct()
                .map(Exam::largest)
                .toList();
    }

    private static Exam largest(FaultClass faultClass) {
        return new Exam(
                Flaw.NONE,
                "nothing",
                faultClass,
                ALL.stream()
                        .filter(exam -> exam.faultClass == faultClass)
                        .mapToInt(Exam::faults)
                        .max()
                        .orElseThrow(),
                ALL.stream()
                        .filter(exam -> exam.faultClass == faultClass)
                        .mapToInt(Exam::messages)
                        .max()
                        .orElseThrow());
    }

    ChaosOptions sized(ChaosOptions options) {
        return options.sized(messages, faults, options.rate(faultClass));
    }
}
