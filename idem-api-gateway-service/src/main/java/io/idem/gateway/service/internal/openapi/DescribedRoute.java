package io.idem.gateway.service.internal.openapi;

import io.idem.gateway.IntakeRoute;
import io.idem.http.RouteOptions;

/**
 * A route with its options in the filter.
 *
 * @param open whether the route needs no authentication
 */
public record DescribedRoute(IntakeRoute route, RouteOptions options, boolean open) {}
