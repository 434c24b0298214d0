package io.idem.consumer;

import io.idem.ConfigurationException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** An {@link IdempotentListener} that cannot work; thrown at start-up. The message contains the remedy. */
public final class ListenerConfigurationException extends ConfigurationException {

    public ListenerConfigurationException(Method method, String problem, String action) {
        this(describe(method) + " " + problem, action);
    }

    public ListenerConfigurationException(String problem, String action) {
        super(problem, action);
    }

    /**
     * Reports a problem that concerns more than a method.
     *
     * @param problem the problem, as a sentence without its full stop
     * @param action the remedy, likewise
     */
    public ListenerConfigurationException(String problem, String action, @Nullable Throwable cause) {
        super(problem, action, cause);
    }

    @Override
    public String getMessage() {
        return problem() + ". " + action() + ".";
    }

    public static String describe(Method method) {
        return "@IdempotentListener " + method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
