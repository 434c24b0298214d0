package io.idem;

import org.jspecify.annotations.Nullable;

/**
 * What a value that the work returned means, for work that tells failures by value rather than by exception. Thread-safe.
 *
 * <p>Asked when the work has returned. Inside an inbox, anything but {@link Judgement#DONE} rolls the work back; otherwise what
 * the work committed stays committed, so a policy that retries must know that nothing was.
 */
@FunctionalInterface
public interface ResultPolicy {

    /** The default: work that returns is done. */
    ResultPolicy ALL_DONE = value -> Judgement.DONE;

    /**
     * Judges a value. What it throws counts as a failure of the work.
     *
     * @param value what the work returned; of an {@link java.util.Optional} its content
     */
    Judgement judge(@Nullable Object value);

    /** What a value means. */
    enum Judgement {
        /** The work took effect. */
        DONE,
        /** It took no effect; another attempt may. */
        RETRY,
        /** It took no effect and never will. */
        REJECT
    }
}
