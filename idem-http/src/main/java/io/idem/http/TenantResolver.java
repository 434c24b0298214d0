package io.idem.http;

import io.idem.IdempotencyKey;
import java.security.Principal;
import java.util.Optional;

/**
 * Says whose key a request carries. The answer must come from whoever authenticated the caller, never from the client's word alone:
 * who can choose the tenant can read another tenant's answers. Thread-safe; called
 * after authentication. Must not block where the server is reactive.
 */
@FunctionalInterface
public interface TenantResolver {

    /** The tenant; empty if it is not known, which refuses the request. */
    Optional<String> resolve(IncomingRequest request);

    /**
     * The authenticated principal: where a token or a login names its issuer ({@code iss}), that, a blank and the principal's name, for
     * issuers may use each other's names; else the name.
     */
    static TenantResolver principal() {
        return request -> request.principal().map(IssuedPrincipal::tenant);
    }

    /**
     * The name of the authenticated principal, whoever issued it: for applications that trust one issuer and have records of a version
     * whose tenants were names.
     */
    static TenantResolver principalName() {
        return request -> request.principal().map(Principal::getName);
    }

    /** {@link IdempotencyKey#DEFAULT_TENANT} for everybody: every caller can be answered with every other caller's answers. */
    static TenantResolver single() {
        return request -> Optional.of(IdempotencyKey.DEFAULT_TENANT);
    }
}
