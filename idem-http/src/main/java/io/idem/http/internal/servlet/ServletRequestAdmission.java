package io.idem.http.internal.servlet;

import io.idem.IdempotencyKey;
import io.idem.http.IncomingRequest;
import io.idem.http.Refusal;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.RequestAdmission;
import io.idem.http.internal.admission.RequestProtection;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;

/** Admits a request; its body is read on the way, once its key is known to be one. */
final class ServletRequestAdmission {

    private final RequestAdmission requestAdmission;
    private final ServletRequestBodyReader bodies;

    ServletRequestAdmission(RequestAdmission requestAdmission, ServletRequestBodyReader bodies) {
        this.requestAdmission = requestAdmission;
        this.bodies = bodies;
    }

    ServletAdmission admit(HttpServletRequest request, RouteOptions options) throws IOException {
        RequestProtection admission = requestAdmission.admit(IncomingServletRequest.of(request), options);
        if (admission instanceof RequestProtection.Keyed keyed) {
            return admit(request, options, keyed.key());
        }
        return admission instanceof RequestProtection.Refused refused
                ? new ServletAdmission.Refused(refused.refusal())
                : new ServletAdmission.Unprotected();
    }

    private ServletAdmission admit(HttpServletRequest request, RouteOptions options, IdempotencyKey key)
            throws IOException {
        ServletRequestBody body = bodies.read(request, options.maxRequestBody());
        if (body instanceof ServletRequestBody.Refused refused) {
            return new ServletAdmission.Refused(refused.refusal());
        }
        ServletRequestBody.Read read = (ServletRequestBody.Read) body;
        IncomingRequest seen = IncomingServletRequest.of(read.request());
        Optional<Refusal> objection = requestAdmission.objection(seen, options, read.body());
        return objection
                .<ServletAdmission>map(ServletAdmission.Refused::new)
                .orElseGet(() -> new ServletAdmission.Admitted(
                        requestAdmission.operation(
                                IncomingServletRequest.comparable(read.request()), options, key, read.body()),
                        read.request()));
    }
}
