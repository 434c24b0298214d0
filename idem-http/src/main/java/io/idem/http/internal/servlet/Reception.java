package io.idem.http.internal.servlet;

import io.idem.http.Routes;
import io.idem.http.internal.admission.ObservedRequest;
import io.idem.http.internal.admission.RouteReports;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;

/** What happens to every request of a protected route first: it is observed, and its client is told the route's retention. */
final class Reception {

    private final RouteReports reports;

    Reception(RouteReports reports) {
        this.reports = reports;
    }

    void receive(HttpServletRequest request, HttpServletResponse response, Routes.Match route) {
        request.setAttribute(ObservedRequest.ATTRIBUTE, reports.observe(request.getMethod(), route.pattern()));
        reports.retention(route.options()).ifPresent(header -> response.setHeader(header.name(), header.value()));
    }

    static Optional<ObservedRequest> observed(HttpServletRequest request) {
        return Optional.ofNullable((ObservedRequest) request.getAttribute(ObservedRequest.ATTRIBUTE));
    }

    static void unprotected(HttpServletRequest request) {
        observed(request).ifPresent(observed -> observed.ended(ObservedRequest.UNPROTECTED));
    }
}
