package io.idem.http;

import java.util.Locale;

/** A kind of refusal, sent to clients as problem details of RFC 9457. All values are stable, because clients compare them. */
public interface Problem {

    /** The prefix of every {@link #type()}. */
    String TYPE_PREFIX = "urn:idem:problem:";

    /**
     * Returns the last part of the type, in lower case with hyphens; also its anchor in the documentation. Made of the name of
     * a constant unless overridden.
     */
    default String slug() {
        return toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the HTTP status. */
    int status();

    /** Returns a short sentence that is the same in every occurrence. */
    String title();

    /** Returns whether the client may send the same request with the same key again. */
    boolean retryWithSameKey();

    /** Returns the type URI. */
    default String type() {
        return TYPE_PREFIX + slug();
    }
}
