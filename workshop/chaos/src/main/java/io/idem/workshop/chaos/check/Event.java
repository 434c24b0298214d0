package io.idem.workshop.chaos.check;

import java.util.Set;

/**
 * What an owner asked of the store or was answered, by the owner's own log.
 *
 * @param at milliseconds since the epoch, when it was asked, or the answer was there
 * @param what ASKED before an acquire; FRESH, RETRY, TAKEOVER or REENTRANT for a grant; RENEWED; COMPLETED
 * @param scope whose record
 * @param key of that record
 * @param fence of the grant; 0 before
 * @param pid number of the owner's process
 */
public record Event(long at, String what, String scope, String key, long fence, long pid) {

    private static final int WORDS = 6;
    private static final Set<String> GRANTS = Set.of("FRESH", "RETRY", "TAKEOVER");
    private static final Set<String> LEASES = Set.of("FRESH", "RETRY", "TAKEOVER", "REENTRANT", "RENEWED");

    /** Whether a lease was given to somebody who had none. */
    public boolean isGrant() {
        return GRANTS.contains(what);
    }

    /** Whether somebody had the message and asked for its key. */
    public boolean isAsked() {
        return what.equals("ASKED");
    }

    /** Whether a lease was given or made longer. */
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
