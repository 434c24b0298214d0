package io.idem.http.internal.servlet;

import io.idem.http.Refusal;
import io.idem.http.internal.admission.ReceivedBody;
import jakarta.servlet.http.HttpServletRequest;

/** A request's body, read before the key is taken. */
sealed interface ServletRequestBody {

    /** It cannot be used. */
    record Refused(Refusal refusal) implements ServletRequestBody {}

    /**
     * It was read.
     *
     * @param request serves it to the handler; a wrapper, below which the container puts one of its own for a forward or an include
     */
    record Read(HttpServletRequest request, ReceivedBody body) implements ServletRequestBody {}
}
