package io.idem.http.internal.servlet;

import io.idem.http.Refusal;
import io.idem.http.internal.admission.ReceivedBody;
import jakarta.servlet.http.HttpServletRequest;

/** The result of reading a request's body before its key is taken. */
sealed interface ServletRequestBody {

    /** A body because of which the request is refused. */
    record Refused(Refusal refusal) implements ServletRequestBody {}

    /**
     * A body that was read.
     *
     * @param request request for the handler; a wrapper, in which the container puts one of its own for a forward or an include
     * @param body content of the body
     */
    record Read(HttpServletRequest request, ReceivedBody body) implements ServletRequestBody {}
}
