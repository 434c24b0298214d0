package io.idem.spi;

import java.time.Duration;

/** A write by an owner as a value, so that many can be asked for at once. */
public sealed interface SettleRequest {

    /** The grant that it acts for. */
    Lease lease();

    /** See {@link IdempotencyStore#renew}. */
    record Renew(Lease lease) implements SettleRequest {}

    /** See {@link IdempotencyStore#complete}. */
    record Complete(Lease lease, StoredResult result) implements SettleRequest {}

    /** See {@link IdempotencyStore#fail}. */
    record Fail(Lease lease, Duration delay) implements SettleRequest {}

    /** See {@link IdempotencyStore#reject}. */
    record Reject(Lease lease, String reason) implements SettleRequest {}
}
