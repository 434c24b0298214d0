package io.idem.step;

import org.jspecify.annotations.Nullable;

/**
 * A step cannot return a result, and its work is not run, or not run again. Ends the attempt, unless the problem is
 * {@link Problem#TOO_MANY} or {@link Problem#UNREADABLE}: catching it changes nothing about that.
 */
public final class StepException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String step;
    private final Problem problem;

    /** Creates an exception for the step with the given id. */
    public StepException(String step, Problem problem, String message) {
        this(step, problem, message, null);
    }

    /** Creates an exception with a cause. */
    public StepException(String step, Problem problem, String message, @Nullable Throwable cause) {
        super("Step \"" + step + "\" " + message, cause);
        this.step = step;
        this.problem = problem;
    }

    /** Returns the id of the step. */
    public String step() {
        return step;
    }

    /** Returns why there is no result. */
    public Problem problem() {
        return problem;
    }

    /** The reasons why a step returns no result. */
    public enum Problem {
        /** The attempt has more steps than a record can remember. A failure of the work, as its policy says. */
        TOO_MANY,
        /** The step was done, but its result was not kept: the record is rejected. */
        RESULT_NOT_KEPT,
        /** The remembered result cannot be unpacked here, for example without its key. A failure of the work. */
        UNREADABLE,
        /**
         * The step was done, but its result does not come back from its stored form as it was, or no longer fits its type: the
         * record is rejected.
         */
        UNFIT,
        /** The step may have been done and a person must decide: the record is rejected. */
        REJECTED,
        /** Whether the step was done is not known yet: the attempt is deferred. */
        UNDECIDED
    }
}
