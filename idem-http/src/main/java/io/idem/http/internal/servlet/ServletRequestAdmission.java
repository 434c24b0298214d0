package io.idem.http.internal.servlet;

import io.idem.IdempotencyKey;
import io.idem.http.IncomingRequest;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.internal.admission.ObservedRequest;
import io.idem.http.internal.admission.RequestAdmission;
import io.idem.http.internal.admission.RequestProtection;
import io.idem.http.internal.admission.RouteReports;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Admits requests of protected routes: begins to observe a request, tells its client the route's retention, checks its key and then reads
 * its body. Thread-safe.
 */
final class ServletRequestAdmission {

    private final RouteReports reports;
    private final RequestAdmission requestAdmission;
    private final ServletRequestBodyReader bodies;

    ServletRequestAdmission(RouteReports reports, RequestAdmission requestAdmission, ServletRequestBodyReader bodies) {
        this.reports = reports;
        this.requestAdmission = requestAdmission;
        this.bodies = bodies;
    }

    ServletAdmission admit(HttpServletRequest request, HttpServletResponse response, Routes.Match route)
            throws IOException {
        ObservedRequest observed = reports.observe(request.getMethod(), route.pattern());
        request.setAttribute(ObservedRequest.ATTRIBUTE, observed);
        reports.retention(route.options()).ifPresent(header -> response.setHeader(header.name(), header.value()));
        RequestProtection admission = requestAdmission.admit(IncomingServletRequest.of(request), route.options());
        if (admission instanceof RequestProtection.BodyNext next) {
            return admit(request, route, next);
        }
        if (admission instanceof RequestProtection.Refused refused) {
            return new ServletAdmission.Refused(refused.refusal());
        }
        observed.ended(ObservedRequest.UNPROTECTED);
        return new ServletAdmission.Unprotected();
    }

    private ServletAdmission admit(HttpServletRequest request, Routes.Match route, RequestProtection.BodyNext first)
            throws IOException {
        RouteOptions options = route.options();
        ServletRequestBody body = bodies.read(request, options.maxRequestBody());
        if (body instanceof ServletRequestBody.Refused refused) {
            return new ServletAdmission.Refused(refused.refusal());
        }
        ServletRequestBody.Read read = (ServletRequestBody.Read) body;
        IncomingRequest seen = IncomingServletRequest.of(read.request());
        RequestProtection checked = requestAdmission.checked(seen, route, first, read.body());
        if (checked instanceof RequestProtection.Refused refused) {
            return new ServletAdmission.Refused(refused.refusal());
        }
        IdempotencyKey key = ((RequestProtection.Keyed) checked).key();
        IncomingServletRequest comparable = IncomingServletRequest.comparable(read.request());
        return new ServletAdmission.Admitted(
                requestAdmission.operation(
                        comparable,
                        comparable.former(),
                        options,
                        key,
                        read.body(),
                        () -> ServletRequestPaths.within(request)),
                options,
                read.request());
    }
}
