package io.idem.http;

import io.idem.IdempotencyKey;
import java.util.Optional;

/** The one resolver of one tenant for all callers, which a check at start tells from others. */
final class SingleTenant {

    static final TenantResolver RESOLVER = request -> Optional.of(IdempotencyKey.DEFAULT_TENANT);

    private SingleTenant() {}
}
