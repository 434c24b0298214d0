package io.idem.gateway.service.internal.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;

/** A request whose principal is the tenant. */
final class AuthenticatedRequest extends HttpServletRequestWrapper {

    private final String tenant;

    AuthenticatedRequest(HttpServletRequest request, String tenant) {
        super(request);
        this.tenant = tenant;
    }

    @Override
    public Principal getUserPrincipal() {
        return () -> tenant;
    }

    @Override
    public String getRemoteUser() {
        return tenant;
    }
}
