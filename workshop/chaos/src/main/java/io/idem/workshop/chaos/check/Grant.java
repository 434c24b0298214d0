package io.idem.workshop.chaos.check;

/**
 * A grant, as logged by the process that received it.
 *
 * @param scope scope of the record
 * @param key key of the record
 * @param kind kind of grant: FRESH, RETRY, TAKEOVER or REENTRANT
 * @param fence fencing token
 */
public record Grant(String scope, String key, String kind, long fence) {

    boolean fresh() {
        return kind.equals("FRESH");
    }

    /** Returns whether the grant was repeated to an owner that had not received the first answer. */
    boolean repeated() {
        return kind.equals("REENTRANT");
    }
}
