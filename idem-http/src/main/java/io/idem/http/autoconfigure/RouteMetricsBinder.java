package io.idem.http.autoconfigure;

import io.idem.http.internal.admission.RouteMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** Records a timer for each method, route and outcome. Routes are patterns, so that clients cannot create new ones. */
final class RouteMetricsBinder implements RouteMetrics {

    private static final String NAME = "idem.http.requests";

    private final MeterRegistry registry;

    RouteMetricsBinder(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void answered(String method, String route, String outcome, Duration took) {
        Timer.builder(NAME)
                .description("Requests to idempotent routes, by outcome")
                .tag("method", method)
                .tag("route", route)
                .tag("outcome", outcome)
                .register(registry)
                .record(took);
    }
}
