package io.idem.consumer;

import io.idem.IdempotencyException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** An {@link IdempotentListener} that cannot work; thrown at start-up. */
public final class ListenerConfigurationException extends IdempotencyException {

    private final String problem;
    private final String action;

    public ListenerConfigurationException(Method method, String problem, String action) {
        this(method, problem, action, null);
    }

    public ListenerConfigurationException(Method method, String problem, String action, @Nullable Throwable cause) {
        this(describe(method) + " " + problem, action, cause);
    }

    /**
     * Reports a problem that concerns more than a method.
     *
     * @param problem the problem, as a sentence without its full stop
     * @param action the remedy, likewise
     */
    public ListenerConfigurationException(String problem, String action, @Nullable Throwable cause) {
        super(problem + ". " + action + ".");
        this.problem = problem;
        this.action = action;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** The problem, as a sentence without its full stop. */
    public String problem() {
        return problem;
    }

    /** The remedy, as a sentence without its full stop. */
    public String action() {
        return action;
    }

    public static String describe(Method method) {
        return "@IdempotentListener " + method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
