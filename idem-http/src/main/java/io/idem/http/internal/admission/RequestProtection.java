package io.idem.http.internal.admission;

import io.idem.IdempotencyKey;
import io.idem.http.Refusal;

/** What a request says of its key, before its body is read. */
public sealed interface RequestProtection {

    /** It has no key and needs none. */
    record Unprotected() implements RequestProtection {}

    /** It is not run. */
    record Refused(Refusal refusal) implements RequestProtection {}

    /** It carries a tenant's key. */
    record Keyed(IdempotencyKey key) implements RequestProtection {}
}
