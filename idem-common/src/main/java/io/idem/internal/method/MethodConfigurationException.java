package io.idem.internal.method;

import io.idem.ConfigurationException;
import java.lang.reflect.Method;

/** A method with {@link io.idem.Idempotent} that cannot be guarded. The message contains the remedy. */
public final class MethodConfigurationException extends ConfigurationException {

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
        super(problem, action);
    }

    @Override
    public String getMessage() {
        return problem() + ". " + action() + ".";
    }

    static String describe(Method method) {
        return "@Idempotent " + method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
