package io.idem.gateway.openapi;

import io.idem.gateway.IntakeRoute;
import io.idem.http.RouteOptions;

/**
 * A route with what the filter knows of it.
 *
 * @param open whether nobody need authenticate
 */
public record DescribedRoute(IntakeRoute route, RouteOptions options, boolean open) {}
