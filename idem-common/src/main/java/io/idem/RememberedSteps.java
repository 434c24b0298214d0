package io.idem;

import io.idem.step.Step;
import java.util.List;
import java.util.stream.Stream;

/**
 * The steps that are remembered beside a record. Immutable.
 *
 * @param life the fence of the grant whose attempt remembered the first of them; {@link #NONE} has 0
 * @param steps in the order in which they were remembered
 * @see Step
 */
public record RememberedSteps(long life, List<RememberedStep> steps) {

    /** The steps of a record that has none. */
    public static final RememberedSteps NONE = new RememberedSteps(0, List.of());

    /** Copies the list, so that later changes to it have no effect. */
    public RememberedSteps {
        steps = List.copyOf(steps);
    }

    /**
     * Returns these steps and one more. It is not added if it is remembered already, or was only begun while these say
     * that it was done. Steps of another life are left out.
     */
    public RememberedSteps with(long ofLife, RememberedStep step) {
        if (ofLife != life) {
            return new RememberedSteps(ofLife, List.of(step));
        }
        boolean known = steps.stream()
                .anyMatch(other ->
                        other.id().equals(step.id()) && (other.kind() == Kind.DONE || other.kind() == step.kind()));
        return known
                ? this
                : new RememberedSteps(
                        life, Stream.concat(steps.stream(), Stream.of(step)).toList());
    }

    /** Returns these steps without their results: all of them still count as done, or as begun. */
    public RememberedSteps erased() {
        return new RememberedSteps(
                life, steps.stream().map(RememberedStep::erased).toList());
    }

    /**
     * A remembered step.
     *
     * @param id the {@linkplain Step#id id} of the step
     * @param kind whether it was done or only begun
     * @param fence the fence of the attempt
     * @param result the result in the form that is kept: {@link StoredResult#OMITTED} if it is not kept;
     *     {@link StoredResult#NONE} for null, and for a step that was only begun
     */
    public record RememberedStep(String id, Kind kind, long fence, StoredResult result) {

        RememberedStep erased() {
            return result.equals(StoredResult.NONE) ? this : new RememberedStep(id, kind, fence, StoredResult.OMITTED);
        }
    }

    /** The kinds of remembered steps. */
    public enum Kind {
        /** The step was done. It is not done again. */
        DONE,
        /** The step was begun; a step that was done may follow under the same id. */
        BEGUN
    }
}
