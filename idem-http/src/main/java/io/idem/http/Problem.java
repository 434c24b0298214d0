package io.idem.http;

/** A kind of refusal, told to clients as the problem details of RFC 9457. What is said here is stable: clients compare it. */
public interface Problem {

    /** Start of every {@link #type()}. */
    String TYPE_PREFIX = "urn:idem:problem:";

    /** Last part of the type, in lower case with hyphens; also its anchor in the documentation. */
    String slug();

    /** HTTP status. */
    int status();

    /** Short sentence, the same in every occurrence. */
    String title();

    /** Whether the client may send the same request with the same key again. */
    boolean retryWithSameKey();

    /** The stable type URI. */
    default String type() {
        return TYPE_PREFIX + slug();
    }
}
