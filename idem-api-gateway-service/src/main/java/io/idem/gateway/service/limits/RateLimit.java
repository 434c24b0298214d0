package io.idem.gateway.service.limits;

import java.time.Duration;
import java.util.Optional;

/**
 * How often a tenant may send requests. Replays count like every request: they cost the service a look into its store. Thread-safe; is
 * called on the way of every request, before its key is taken. What it throws ends the request with 500, and takes no key.
 */
@FunctionalInterface
public interface RateLimit {

    /** Takes a permit for a request of a tenant: empty if there was one, otherwise the time until there will be one. */
    Optional<Duration> take(String tenant);
}
