package io.idem.http.internal.servlet;

import io.idem.Operation;
import io.idem.http.RouteOptions;
import jakarta.servlet.http.HttpServletRequest;

/** A request whose key may be taken; {@code request} serves the body that was read to the handler. */
record AdmittedRequest(Operation operation, RouteOptions options, HttpServletRequest request) {}
