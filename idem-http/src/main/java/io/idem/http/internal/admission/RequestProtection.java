package io.idem.http.internal.admission;

import io.idem.IdempotencyKey;

/** How a request that is protected has its key. */
public sealed interface RequestProtection {

    /** A request that carries the key of a tenant. */
    record Keyed(IdempotencyKey key) implements RequestProtection {}

    /** A request that brings its key with it, which is read when the route's check has accepted the request. */
    record KeyBehindCheck() implements RequestProtection {}
}
