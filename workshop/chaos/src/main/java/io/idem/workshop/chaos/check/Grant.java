package io.idem.workshop.chaos.check;

/**
 * A grant, as the process that got it wrote it down.
 *
 * @param scope whose
 * @param key whose
 * @param kind how it came about
 * @param fence its fencing token
 */
public record Grant(String scope, String key, String kind, long fence) {

    boolean fresh() {
        return kind.equals("FRESH");
    }

    /** The same grant, told once more to an owner that had not heard the first answer. */
    boolean repeated() {
        return kind.equals("REENTRANT");
    }
}
