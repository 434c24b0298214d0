package io.idem;

import org.jspecify.annotations.Nullable;

/**
 * Judges the values that work returns, for work that reports failures by value rather than by exception. Thread-safe.
 *
 * <p>Called when the work has returned. Inside an inbox, anything but {@link Judgement#DONE} rolls the work back.
 * Otherwise commits of the work remain, so a policy must answer {@link Judgement#RETRY} only if nothing was committed.
 */
@FunctionalInterface
public interface ResultPolicy {

    /** The default: work that returns is done. */
    ResultPolicy ALL_DONE = value -> Judgement.DONE;

    /**
     * Judges a value. An exception counts as a failure of the work.
     *
     * @param value the value that the work returned; the content of an {@link java.util.Optional}
     */
    Judgement judge(@Nullable Object value);

    /** The meanings of a value. */
    enum Judgement {
        /** The work took effect. */
        DONE,
        /** The work took no effect; another attempt may. */
        RETRY,
        /** The work took no effect and never will. */
        REJECT
    }
}
