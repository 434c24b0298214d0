package io.idem.internal.value;

/** Checks of values that somebody hands in. */
public final class Arguments {

    private Arguments() {}

    /**
     * Checks a condition.
     *
     * @throws IllegalArgumentException with the complaint if it does not hold
     */
    public static void require(boolean holds, String complaint) {
        if (!holds) {
            throw new IllegalArgumentException(complaint);
        }
    }
}
