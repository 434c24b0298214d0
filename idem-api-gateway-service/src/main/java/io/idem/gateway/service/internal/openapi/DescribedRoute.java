package io.idem.gateway.service.internal.openapi;

import io.idem.gateway.AwaitedOutcome;
import io.idem.gateway.IntakeRoute;
import io.idem.http.RouteOptions;
import java.util.Optional;

/**
 * A route with its options in the filter.
 *
 * @param open whether the route needs no authentication
 * @param awaited the consumers that its clients may wait for
 */
public record DescribedRoute(IntakeRoute route, RouteOptions options, boolean open, Optional<AwaitedOutcome> awaited) {}
