package io.idem.internal.method;

import io.idem.IdempotencyException;
import java.lang.reflect.Method;

/** A method with {@link io.idem.Idempotent} that cannot be guarded; thrown at start-up. */
public final class MethodConfigurationException extends IdempotencyException {

    private final String problem;
    private final String action;

    MethodConfigurationException(Method method, String problem, String action) {
        this(describe(method) + " " + problem, action);
    }

    /**
     * Reports a problem of something else than a method.
     *
     * @param problem the problem, as a sentence without its full stop
     * @param action the remedy, likewise
     */
    MethodConfigurationException(String problem, String action) {
        super(problem + ". " + action + ".");
        this.problem = problem;
        this.action = action;
    }

    /** Returns the problem, as a sentence without its full stop. */
    public String problem() {
        return problem;
    }

    /** Returns the remedy, as a sentence without its full stop. */
    public String action() {
        return action;
    }

    static String describe(Method method) {
        return "@Idempotent " + method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
