package io.idem.workshop.simulation.check;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The events of one record and of its work. */
final class KeyStory {

    private final String name;
    private final Set<String> events = new LinkedHashSet<>();
    private @Nullable Grant last;
    private long highestFence;
    private int grants;
    private int takeovers;
    private int effects;
    private int failures;
    private int losses;
    private int abandoned;
    private int unknownCommits;
    private int deadLetters;
    private boolean accepted;
    private int counted;
    private long notBefore;
    private boolean forced;
    private final Map<String, StepStory> steps = new TreeMap<>();

    KeyStory(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    @Nullable Grant last() {
        return last;
    }

    void granted(Grant grant) {
        last = grant;
        grants++;
        highestFence = Math.max(highestFence, grant.fence());
    }

    long highestFence() {
        return highestFence;
    }

    int grants() {
        return grants;
    }

    void tookOver() {
        takeovers++;
    }

    int takeovers() {
        return takeovers;
    }

    void tookEffect() {
        effects++;
    }

    int effects() {
        return effects;
    }

    void failed() {
        failures++;
    }

    int failures() {
        return failures;
    }

    void lost() {
        losses++;
        last = null;
    }

    int losses() {
        return losses;
    }

    void abandoned() {
        abandoned++;
    }

    int abandonedCalls() {
        return abandoned;
    }

    void commitUnknown() {
        unknownCommits++;
    }

    int unknownCommits() {
        return unknownCommits;
    }

    void deadLettered() {
        deadLetters++;
    }

    int deadLetters() {
        return deadLetters;
    }

    void announced(String under) {
        events.add(under);
    }

    /** Returns the keys under which the work was announced. */
    Set<String> events() {
        return events;
    }

    void accepted() {
        accepted = true;
    }

    boolean wasAccepted() {
        return accepted;
    }

    /** Records that the database counted a failure, after which no attempt may begin before a moment. */
    void failureCounted(long earliest) {
        counted++;
        notBefore = Math.max(notBefore, earliest);
    }

    /** Returns the number of failures that the database counted. */
    int counted() {
        return counted;
    }

    long notBefore() {
        return notBefore;
    }

    void released() {
        notBefore = 0;
    }

    void reopened() {
        counted = 0;
        notBefore = 0;
    }

    void claimed(long fence) {
        grants++;
        highestFence = Math.max(highestFence, fence);
    }

    StepStory step(String name) {
        return steps.computeIfAbsent(name, fresh -> new StepStory());
    }

    Map<String, StepStory> steps() {
        return steps;
    }

    void forced() {
        forced = true;
    }

    /** Returns whether an operator called the work done. */
    boolean wasForced() {
        return forced;
    }

    /** Returns whether the record may differ from the work that was done. */
    boolean wasDisturbed() {
        return losses > 0 || takeovers > 0;
    }
}
