package io.idem.http;

import java.util.Set;

/** The predefined storing policies. Under each of them an exception that leaves the handler releases the key. */
public enum StoredAnswers implements StoringPolicy {

    /**
     * The default: stores 2xx, 3xx and those 4xx that the same request would get again. The key is released after 5xx; after 307 and 308,
     * which ask to send the same request elsewhere; after 401, 403, 407, 408, 409, 421, 423, 424, 425 and 429, which depend on more than
     * the request; and after 406, 411, 412, 415, 417, 426, 428 and 431, which depend on headers or the connection, which the client may
     * correct and which no fingerprint covers.
     */
    DETERMINISTIC,

    /** Stores every answer that the handler gives. */
    EVERYTHING,

    /** Stores every answer except 5xx, 307 and 308. */
    BELOW_500,

    /** Stores only 2xx. */
    SUCCESS;

    private static final int REDIRECTION = 300;
    private static final int SERVER_ERROR = 500;
    private static final Set<Integer> ELSEWHERE = Set.of(307, 308);
    private static final Set<Integer> PASSING =
            Set.of(401, 403, 406, 407, 408, 409, 411, 412, 415, 417, 421, 423, 424, 425, 426, 428, 429, 431);

    @Override
    public boolean stores(int status) {
        return switch (this) {
            case DETERMINISTIC -> BELOW_500.stores(status) && !PASSING.contains(status);
            case EVERYTHING -> true;
            case BELOW_500 -> status < SERVER_ERROR && !ELSEWHERE.contains(status);
            case SUCCESS -> status < REDIRECTION;
        };
    }
}
