package io.idem.workshop.chaos.check;

import java.util.Set;

/**
 * A request of an owner to the store, or an answer, from the owner's own log.
 *
 * @param at time of the request or of the answer, in milliseconds since the epoch
 * @param what ASKED before an acquire; FRESH, RETRY, TAKEOVER or REENTRANT for a grant; RENEWED; COMPLETED
 * @param scope scope of the record
 * @param key key of the record
 * @param fence fencing token of the grant; 0 before it
 * @param pid process id of the owner
 */
public record Event(long at, String what, String scope, String key, long fence, long pid) {

    private static final int WORDS = 6;
    private static final Set<String> GRANTS = Set.of("FRESH", "RETRY", "TAKEOVER");
    private static final Set<String> LEASES = Set.of("FRESH", "RETRY", "TAKEOVER", "REENTRANT", "RENEWED");

    /** Returns whether an owner without a lease was given one. */
    public boolean isGrant() {
        return GRANTS.contains(what);
    }

    /** Returns whether a consumer received the message and asked for its key. */
    public boolean isAsked() {
        return what.equals("ASKED");
    }

    /** Returns whether a lease was given or extended. */
    public boolean isLease() {
        return LEASES.contains(what);
    }

    static boolean isWhole(String[] words) {
        return words.length == WORDS;
    }

    static Event of(String[] words) {
        return new Event(
                Long.parseLong(words[0]),
                words[1],
                words[2],
                words[3],
                Long.parseLong(words[4]),
                Long.parseLong(words[5]));
    }
}
