package io.idem.http.internal.servlet;

import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.internal.admission.ObservedRequest;
import io.idem.http.internal.admission.RequestAdmission;
import io.idem.http.internal.admission.RequestProtection;
import io.idem.http.internal.admission.RouteReports;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * Admits requests of protected routes: begins to observe a request, tells its client the route's retention, checks its key and then reads
 * its body. Thread-safe.
 */
record ServletRequestAdmission(
        RouteReports reports, RequestAdmission requestAdmission, ServletRequestBodyReader bodies) {

    /**
     * Admits a request.
     *
     * @return empty if the request runs unprotected
     * @throws RequestRefusedException if the request is not run
     */
    Optional<AdmittedRequest> admit(HttpServletRequest request, HttpServletResponse response, Routes.Match route)
            throws IOException {
        RouteOptions options = route.options();
        request.setAttribute(ObservedRequest.ATTRIBUTE, reports.observe(request.getMethod(), route.pattern()));
        reports.retention(options).ifPresent(header -> response.setHeader(header.name(), header.value()));
        Optional<RequestProtection> first = requestAdmission.admit(IncomingServletRequest.of(request), options);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        ServletRequestBody read = bodies.read(request, options);
        return Optional.of(new AdmittedRequest(
                requestAdmission.operation(IncomingServletRequest.of(read.request()), route, first.get(), read.body()),
                options,
                read.request()));
    }
}
