package io.idem.gateway.service.internal.openapi;

import io.idem.gateway.AwaitedOutcome;
import io.idem.gateway.IntakeRoute;
import io.idem.http.RouteOptions;
import java.util.Optional;

/**
 * A route with what the filter knows of it.
 *
 * @param open whether nobody need authenticate
 * @param awaited for whom its clients may wait
 */
public record DescribedRoute(IntakeRoute route, RouteOptions options, boolean open, Optional<AwaitedOutcome> awaited) {}
