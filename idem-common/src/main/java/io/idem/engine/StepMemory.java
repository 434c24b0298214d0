package io.idem.engine;

import io.idem.RememberedSteps;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoredResult;
import io.idem.step.Step;
import io.idem.step.StepException;
import io.idem.step.StepException.Problem;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The steps of a record as one attempt knows them. Thread-safe. */
final class StepMemory {

    /** The most steps of a record: the script that writes one reads all of them. */
    static final int MOST_STEPS = 64;

    /** The most bytes of results. A result that no longer fits is not kept; its step still counts as done. */
    static final int MOST_BYTES = 24 * 1024;

    private final Set<String> used = new HashSet<>();
    private final Set<String> notAskedFor = new TreeSet<>();
    private final Set<String> begun = new HashSet<>();
    private final Map<String, StoredResult> done = new HashMap<>();
    private final long life;
    private final boolean first;
    private int bytes;

    /**
     * @param life the life of the steps that this attempt remembers
     * @param first whether no attempt of the record came before this one
     */
    StepMemory(long life, boolean first, RememberedSteps steps) {
        this.life = life;
        this.first = first;
        steps.steps().forEach(this::add);
    }

    long life() {
        return life;
    }

    boolean isFirst() {
        return first;
    }

    private void add(RememberedStep step) {
        notAskedFor.add(step.id());
        if (step.kind() == Kind.BEGUN) {
            begun.add(step.id());
        } else if (done.putIfAbsent(step.id(), step.result()) == null) {
            bytes += step.result().size();
        }
    }

    /** Returns whether nothing is remembered, as far as this attempt knows. */
    synchronized boolean isEmpty() {
        return begun.isEmpty() && done.isEmpty();
    }

    /** Returns the steps of earlier attempts that this one has not used. */
    synchronized Set<String> notAskedFor() {
        return new TreeSet<>(notAskedFor);
    }

    synchronized Optional<StoredResult> result(Step<?> step) {
        return Optional.ofNullable(done.get(step.id()));
    }

    synchronized boolean hasBegun(Step<?> step) {
        return begun.contains(step.id());
    }

    /**
     * Notes that this attempt uses a step.
     *
     * @throws IllegalStateException if it has used it before
     * @throws StepException if there are too many steps
     */
    synchronized void use(Step<?> step) {
        if (!used.add(step.id())) {
            throw new IllegalStateException("Step \"" + step + "\" was used before in this attempt; retry inside of"
                    + " the step, and give another step a name of its own or, in a loop, an item");
        }
        notAskedFor.remove(step.id());
        Set<String> known = new HashSet<>(done.keySet());
        known.addAll(begun);
        known.addAll(used);
        if (known.size() > MOST_STEPS) {
            throw new StepException(
                    step.id(),
                    Problem.TOO_MANY,
                    "is one more than the " + MOST_STEPS + " steps that a record remembers; send one message per item");
        }
    }

    synchronized void begun(Step<?> step) {
        begun.add(step.id());
    }

    /** Notes that a step is done. Returns the result to keep: the given one if it fits. */
    synchronized StoredResult done(Step<?> step, StoredResult result) {
        StoredResult kept = bytes + result.size() <= MOST_BYTES ? result : StoredResult.OMITTED;
        done.put(step.id(), kept);
        bytes += kept.size();
        return kept;
    }
}
