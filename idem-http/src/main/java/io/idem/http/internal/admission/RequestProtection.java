package io.idem.http.internal.admission;

import io.idem.IdempotencyKey;
import io.idem.http.Refusal;

/** The result of reading a request's key. */
public sealed interface RequestProtection {

    /** A request whose body is read next. */
    sealed interface BodyNext extends RequestProtection {}

    /** A request without a key, to a route that needs none. */
    record Unprotected() implements RequestProtection {}

    /** A request that is not run. */
    record Refused(Refusal refusal) implements RequestProtection {}

    /** A request that carries the key of a tenant. */
    record Keyed(IdempotencyKey key) implements BodyNext {}

    /** A request that brings its key with it, which is read when the route's check has accepted the request. */
    record KeyBehindCheck() implements BodyNext {}
}
