package io.idem.http.clients;

import java.net.URI;
import java.time.Duration;

/** An HTTP client with the retries that it does by itself. */
@FunctionalInterface
public interface RetryingClient {

    /**
     * Posts a small JSON document under a key, and returns what the user of the client sees at the end.
     *
     * @param patience how long the client waits for the answer to each request
     */
    Seen post(URI uri, String key, Duration patience);

    /** What a user sees. */
    record Seen(int status, String body) {

        /** The client has thrown. */
        public static Seen failure(Exception failure) {
            return new Seen(0, failure.getClass().getSimpleName());
        }
    }
}
