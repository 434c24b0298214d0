package io.idem.internal;

import io.idem.FailurePolicy;
import java.lang.reflect.UndeclaredThrowableException;
import org.jspecify.annotations.Nullable;

/** Looks through what containers, proxies, stages and threads have wrapped around a failure. */
public final class Causes {

    private Causes() {}

    /** Returns the first exception of a type among a failure and its first 100 causes; null if there is none. */
    public static <T extends Throwable> @Nullable T find(@Nullable Throwable failure, Class<T> type) {
        return failure == null
                ? null
                : FailurePolicy.causes(failure)
                        .filter(type::isInstance)
                        .map(type::cast)
                        .findFirst()
                        .orElse(null);
    }

    /** Returns a failure as an exception that any caller can handle; an error is thrown. */
    public static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new UndeclaredThrowableException(failure);
    }

    /** Returns whether a failure or one of its causes is an exception of a type. */
    public static boolean include(Throwable failure, Class<? extends Throwable> type) {
        return find(failure, type) != null;
    }
}
