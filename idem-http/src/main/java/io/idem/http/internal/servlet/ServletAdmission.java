package io.idem.http.internal.servlet;

import io.idem.Operation;
import io.idem.http.Refusal;
import io.idem.http.RouteOptions;
import jakarta.servlet.http.HttpServletRequest;

/** The result of a request's admission, before its key is taken. */
sealed interface ServletAdmission {

    /** A request without a key, to a route that needs none. */
    record Unprotected() implements ServletAdmission {}

    /** A request that is not run. */
    record Refused(Refusal refusal) implements ServletAdmission {}

    /** A request whose key may be taken; {@code request} serves the body that was read to the handler. */
    record Admitted(Operation operation, RouteOptions options, HttpServletRequest request)
            implements ServletAdmission {}
}
