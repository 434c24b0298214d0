package io.idem.step;

import org.jspecify.annotations.Nullable;

/**
 * The writes of an attempt to its own database, which take effect in the transaction of its inbox.
 *
 * @param <T> the type of the result
 * @param <X> the exception that the work may throw; {@link RuntimeException} if it throws no checked one
 */
@FunctionalInterface
public interface LocalWork<T extends @Nullable Object, X extends Exception> {

    /** Does the work. An exception rolls the transaction back and goes on to the caller unchanged. */
    T run() throws X;
}
