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

    /** The name of the authenticated principal. */
    static TenantResolver principal() {
        return request -> request.principal().map(Principal::getName);
    }

    /** {@link IdempotencyKey#DEFAULT_TENANT} for everybody: every caller can be answered with every other caller's answers. */
    static TenantResolver single() {
        return request -> Optional.of(IdempotencyKey.DEFAULT_TENANT);
    }
}
