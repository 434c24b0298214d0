package io.idem.http;

import io.idem.IdempotencyKey;
import java.util.Optional;

/**
 * Finds the tenant whose key a request carries. The tenant must be the result of authentication, never a claim of the client alone: a
 * client that can choose the tenant can read another tenant's answers. Called after authentication. Thread-safe; must not block if the
 * server is reactive.
 */
@FunctionalInterface
public interface TenantResolver {

    /** Returns the tenant; empty if it is not known, then the request is refused. */
    Optional<String> resolve(IncomingRequest request);

    /**
     * Returns a resolver of the authenticated principal. If a token or a login names its issuer ({@code iss}), the tenant is the issuer, a
     * blank and the principal's name, because different issuers may use the same name; otherwise it is the name, behind a blank if it
     * reads as such a tenant. Issuers must be URIs, as OpenID Connect asks. A principal whose name is {@link Object#toString} is no tenant.
     */
    static TenantResolver principal() {
        return request -> request.principal().flatMap(IssuedPrincipal::tenant);
    }

    /**
     * Returns a resolver of the authenticated principal's name, without its issuer: for applications that trust one issuer and have records
     * of a version in which tenants were names.
     */
    static TenantResolver principalName() {
        return request -> request.principal().flatMap(IssuedPrincipal::name);
    }

    /** Returns a resolver of {@link IdempotencyKey#DEFAULT_TENANT} for all callers: each can be answered with the answers of the others. */
    static TenantResolver single() {
        return RouteOptions.ONE_TENANT;
    }
}
