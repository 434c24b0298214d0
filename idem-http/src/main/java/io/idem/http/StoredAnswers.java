package io.idem.http;

import java.util.Set;

/** Presets of {@link StoringPolicy}. An exception that leaves the handler frees the key under each of them. */
public enum StoredAnswers implements StoringPolicy {

    /**
     * The default: 2xx, 3xx and those 4xx that the same request would get again. 401, 403, 408, 409, 425, 429 and 5xx depend on
     * more than the request, so they free the key.
     */
    DETERMINISTIC {
        @Override
        public boolean stores(int status) {
            return status < CLIENT_ERROR || (status < SERVER_ERROR && !PASSING.contains(status));
        }
    },

    /** Every answer that the handler gives. */
    EVERYTHING {
        @Override
        public boolean stores(int status) {
            return true;
        }
    },

    /** All but 5xx. */
    BELOW_500 {
        @Override
        public boolean stores(int status) {
            return status < SERVER_ERROR;
        }
    },

    /** 2xx only. */
    SUCCESS {
        @Override
        public boolean stores(int status) {
            return status < REDIRECTION;
        }
    };

    private static final int REDIRECTION = 300;
    private static final int CLIENT_ERROR = 400;
    private static final int SERVER_ERROR = 500;
    private static final Set<Integer> PASSING = Set.of(401, 403, 408, 409, 425, 429);
}
