package io.idem.http.servlet;

import io.idem.IdempotencyKey;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Optional;

/**
 * Says whose key a request carries. The answer must come from whoever authenticated the caller, never from the client's word alone:
 * who can choose the tenant can read another tenant's answers. Thread-safe; called after authentication.
 */
@FunctionalInterface
public interface TenantResolver {

    /** The tenant; empty if it is not known, which refuses the request. */
    Optional<String> resolve(HttpServletRequest request);

    /** The name of the authenticated principal. */
    static TenantResolver principal() {
        return request -> Optional.ofNullable(request.getUserPrincipal()).map(Principal::getName);
    }

    /** {@link IdempotencyKey#DEFAULT_TENANT} for everybody: every caller can be answered with every other caller's answers. */
    static TenantResolver single() {
        return request -> Optional.of(IdempotencyKey.DEFAULT_TENANT);
    }
}
