package io.idem.http.internal.servlet;

import io.idem.http.internal.admission.ReceivedBody;
import jakarta.servlet.http.HttpServletRequest;

/**
 * A body that was read before its request's key is taken.
 *
 * @param request request for the handler; a wrapper, in which the container puts one of its own for a forward or an include
 * @param body content of the body
 */
record ServletRequestBody(HttpServletRequest request, ReceivedBody body) {}
