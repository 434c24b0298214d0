package io.idem.gateway.autoconfigure;

/** Who authenticates the callers. */
enum Authentication {
    /** The intake does, by the keys under {@code idem.gateway.api-keys}. */
    API_KEY,
    /** Somebody else does, or nobody: then {@code idem.http.tenant} or a {@code TenantResolver} bean says whose keys requests carry. */
    NONE
}
