package io.idem.gateway.service.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.gateway.service.internal.limits.InFlightLimit;
import io.idem.gateway.service.internal.limits.Rate;
import io.idem.gateway.service.internal.limits.TokenBuckets;
import io.idem.gateway.service.limits.RateLimit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.gateway.limits}. Open paths are never refused.
 *
 * @param requests how many requests a tenant may send in per, in each instance of the service, replays included; default no limit
 * @param per time in which so many requests come back, evenly; default 1 s
 * @param burst how many requests a tenant may send at once after a pause; default requests
 * @param tenants limits of single tenants, by name, in place of the above
 * @param inFlight how many requests, whosever they are, may be with their handlers at once in each instance; default no limit
 */
@ConfigurationProperties("idem.gateway.limits")
record IdemGatewayLimitsProperties(
        @Nullable Integer requests,
        @DefaultValue("1s") Duration per,
        @Nullable Integer burst,
        @DefaultValue Map<String, TenantLimit> tenants,
        @Nullable Integer inFlight) {

    private static final String NAME = "idem.gateway.limits";

    /**
     * A tenant's own limit.
     *
     * @param requests how many requests it may send in per
     * @param per time in which so many requests come back, evenly; default 1 s
     * @param burst how many requests it may send at once after a pause; default requests
     */
    record TenantLimit(
            @Nullable Integer requests,
            @DefaultValue("1s") Duration per,
            @Nullable Integer burst) {}

    /** Returns the rate limit; empty if no tenant is limited. */
    Optional<RateLimit> rateLimit() {
        Optional<Rate> everybody = rate(NAME, requests, per, burst);
        Map<String, Rate> own = new LinkedHashMap<>();
        tenants.forEach((tenant, limit) -> own.put(tenant, own(NAME + ".tenants." + tenant, limit)));
        return everybody.isEmpty() && own.isEmpty()
                ? Optional.empty()
                : Optional.of(new TokenBuckets(everybody.orElse(null), own, System::nanoTime));
    }

    /** Returns the limit of requests in flight; empty if there is none. */
    Optional<InFlightLimit> inFlightLimit() {
        return Optional.ofNullable(inFlight).map(most -> checked(NAME + ".in-flight", () -> new InFlightLimit(most)));
    }

    private static Rate own(String name, TenantLimit limit) {
        return rate(name, limit.requests(), limit.per(), limit.burst())
                .orElseThrow(() -> new ConfigurationException(
                        "Setting " + name + ".requests is missing", "Set it, or remove " + name));
    }

    private static Optional<Rate> rate(String name, @Nullable Integer requests, Duration per, @Nullable Integer burst) {
        if (requests == null && burst != null) {
            throw new ConfigurationException(
                    "Setting " + name + ".burst limits nothing without " + name + ".requests",
                    "Set " + name + ".requests, or remove it");
        }
        return Optional.ofNullable(requests)
                .map(number -> checked(name, () -> new Rate(number, per, burst == null ? number : burst)));
    }

    private static <T> T checked(String name, Supplier<T> part) {
        try {
            return part.get();
        } catch (IllegalArgumentException invalid) {
            throw new ConfigurationException(
                    "Setting " + name + " is not usable: " + invalid.getMessage(), "Correct it", invalid);
        }
    }
}
