package io.idem.workshop.simulation.check;

import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.workshop.simulation.kernel.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The events at the servers and in the ledger, checked against the promises. */
public final class History {

    private final Rules rules;
    private final Consumer<String> trace;
    private final Map<String, KeyStory> stories = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Long> counts = new TreeMap<>();
    private int clockJumps;

    /** Creates a history that also adds each violation to the trace. */
    public History(Rules rules, Consumer<String> trace) {
        this.rules = rules;
        this.trace = trace;
    }

    KeyStory of(String key) {
        return stories.computeIfAbsent(key, KeyStory::new);
    }

    int clockJumps() {
        return clockJumps;
    }

    Rules rules() {
        return rules;
    }

    public List<String> violations() {
        return List.copyOf(violations);
    }

    public Map<String, Long> counts() {
        return Map.copyOf(counts);
    }

    /** Counts an event. */
    public void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    /** Records a violation of a promise. */
    public void violation(String what) {
        violations.add(what);
        trace.accept("VIOLATION " + what);
    }

    /** Records that a request was accepted. */
    public void accepted(String key) {
        of(key).accepted();
    }

    public void clockJumped() {
        clockJumps++;
    }

    /** Records that the store lost the record of the key, or went back to an older one. */
    public void recordLost(String key) {
        of(key).lost();
    }

    /** Records that a caller gave up a call for this key after all repetitions. */
    public void abandoned(String key) {
        of(key).abandoned();
    }

    public void commitUnknown(String key) {
        of(key).commitUnknown();
    }

    public void workFailed(String key) {
        of(key).failed();
    }

    /** Records a commit of business data. */
    public void tookEffect(String key) {
        KeyStory story = of(key);
        story.tookEffect();
        count("effects");
        if (story.effects() > 1) {
            doubled(story);
        }
        if (story.wasForced()) {
            violation(key + " took effect after an operator had completed it");
        }
    }

    private void doubled(KeyStory story) {
        if (rules.inbox()) {
            violation(story.name() + " took effect twice although there is an inbox");
        } else if (story.wasDisturbed()) {
            count(story.losses() > 0 ? "declared doubles after lost records" : "declared doubles after takeovers");
        } else {
            violation(story.name() + " took effect twice, and neither was its owner lost nor its record");
        }
    }

    /** Records that a dead letter of the key was published, or made by the broker. */
    public void deadLettered(String key, String why) {
        KeyStory story = of(key);
        story.deadLettered();
        count("dead letters");
        boolean usedUp = !rules.alone() && rules.maxAttempts() > 0 && story.grants() >= rules.maxAttempts();
        if (story.failures() == 0 && !usedUp) {
            violation(key + " is a dead letter though its work never failed: " + why);
        }
    }

    /** Records that a message was acknowledged to the broker. */
    public void acknowledged(String key, Optional<RecordSnapshot> record) {
        KeyStory story = of(key);
        count("acknowledged");
        if (story.deadLetters() > 0 || story.wasForced()) {
            return;
        }
        if (story.effects() == 0) {
            violation(key + " is acknowledged, but has neither effect nor dead letter");
        } else if (!isCompleted(record) && !story.wasDisturbed()) {
            violation(key + " is acknowledged, but its record is " + record.map(RecordSnapshot::state));
        }
    }

    private static boolean isCompleted(Optional<RecordSnapshot> record) {
        return record.map(RecordSnapshot::state)
                .filter(RecordState.COMPLETED::equals)
                .isPresent();
    }

    /** Records that a message about the key's work is durable. */
    public void announced(String key, String under) {
        KeyStory story = of(key);
        story.announced(under);
        count("announcements");
        if (story.events().size() > 1) {
            violation(key + " was announced under several keys: " + story.events());
        }
        if (story.effects() == 0) {
            violation(key + " was announced, but has no effect");
        }
    }

    /** Records that a reconciler asked the provider about a step. */
    public void asked(String key, String step, String providerKey, long fence) {
        of(key).step(step).heard(providerKey, fence);
        count("step questions");
    }

    /** Records that the provider acted on a call of a step. */
    public void landed(String key, String step, String providerKey, long fence) {
        boolean late = of(key).step(step).landed(providerKey, fence);
        count(late ? "late step calls" : "step calls");
    }

    /** Records that a step returned a landing to its work. */
    public void returned(String key, String step, long fence, int landing) {
        of(key).step(step).returned(fence, landing);
        count("steps returned");
    }

    /** Checks the promises about steps. Where the store lost the record all steps may run again, under the same keys. */
    private void checkSteps(KeyStory story) {
        story.steps().forEach((name, step) -> {
            String what = "step " + name + " of " + story.name();
            violationIf(step.hasSeveralKeys(), what + " has several keys at the provider");
            violationIf(step.hasForeignResult(), what + " returned what the provider did not give");
            if (story.losses() == 0) {
                violationIf(step.isBegunAgain(), what + " is begun again though it was remembered");
                violationIf(step.isCalledTooOften(), what + " is called too often");
                violationIf(name.equals(Names.RECONCILED_STEP) && step.isLandedAgain(), what + " landed again");
                violationIf(step.hasOtherResults(), what + " returned different results");
            }
        });
    }

    private void violationIf(boolean broken, String what) {
        if (broken) {
            violation(what);
        }
    }

    /** Checks the promises after all work has ended. */
    public void atTheEnd() {
        for (KeyStory story : stories.values()) {
            checkSteps(story);
            if (story.effects() > 0 && story.deadLetters() > 0) {
                count(
                        story.events().isEmpty()
                                ? "dead letters of done work, not announced"
                                : "dead letters of done work");
            }
            if (story.effects() > 0 && story.events().isEmpty() && story.deadLetters() == 0) {
                violation(story.name() + " took effect, and nobody was told");
            }
            if (story.wasAccepted() && story.effects() == 0 && story.deadLetters() == 0 && !story.wasForced()) {
                violation(story.name() + " is lost");
            }
            if (!story.wasAccepted() && story.effects() > 0 && !rules.unacceptedMayAct()) {
                violation(story.name() + " took effect, but nobody was told that it was taken");
            }
        }
    }

    /**
     * Records a claim of a row in an inbox that is the only store, and checks that it was allowed.
     *
     * @param attempt number of the attempt that the work sees
     * @param now virtual time
     * @param beside whether another attempt is under way whose session lives
     */
    public void claimed(String key, long fence, int attempt, long now, boolean beside) {
        KeyStory story = of(key);
        count("grants");
        if (story.effects() > 0 || story.wasForced()) {
            violation(key + " was claimed though it is done");
        }
        if (beside) {
            violation(key + " was claimed beside work that is under way");
        }
        if (fence <= story.highestFence()) {
            violation(key + " was claimed with fence " + fence + " after " + story.highestFence());
        }
        if (attempt != story.counted() + 1) {
            violation(key + " was claimed as attempt " + attempt + " after " + story.counted() + " that failed");
        }
        if (rules.maxAttempts() > 0 && story.counted() >= rules.maxAttempts()) {
            violation(key + " was claimed though its attempts are used up");
        }
        if (now < story.notBefore()) {
            violation(key + " was claimed before the delay of its last attempt had passed");
        }
        story.claimed(fence);
    }

    /** Records that the database counted a failure, after which no attempt may begin before {@code notBefore}. */
    public void failureCounted(String key, long notBefore) {
        of(key).failureCounted(notBefore);
        count("failures counted");
    }

    /** Records that an operator ended the delay of a failed attempt. */
    public void released(String key) {
        of(key).released();
        count("releases");
    }

    /** Records that the failures of a key were removed. */
    public void reopened(String key) {
        of(key).reopened();
        count("reopened");
    }

    /** Records that an operator called the work done. */
    public void forced(String key) {
        of(key).forced();
        count("completed by operators");
    }

    /** Records a takeover, and checks that the previous owner had a reason to be late. */
    void tookOver(KeyStory story, Grant from) {
        story.tookOver();
        Machine owner = from.to();
        boolean excused = from.late()
                || owner.dead()
                || owner.freezes() > from.freezes()
                || story.abandonedCalls() > from.abandoned()
                || story.unknownCommits() > 0
                || clockJumps > from.jumps();
        if (!excused) {
            violation(story.name() + " was taken over from " + owner + ", which was alive and well");
        }
        count("takeovers");
    }
}
