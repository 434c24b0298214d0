package io.idem.gateway.service.limits;

import java.time.Duration;
import java.util.Optional;

/**
 * A limit of the requests that a tenant may send over time. Replays count too, because each reads from the store.
 * Thread-safe. Called for every request, before its key is acquired. An exception ends the request with 500, and no key
 * is acquired.
 */
@FunctionalInterface
public interface RateLimit {

    /**
     * Takes a permit for a request of a tenant.
     *
     * @return empty if there was a permit; otherwise the time until there will be one
     */
    Optional<Duration> take(String tenant);
}
