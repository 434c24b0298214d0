package io.idem.demo.provider;

import io.idem.IdempotencyKey;

/**
 * Somebody else's system that moves money. At-least-once like every external call: a consumer that dies after the call makes
 * the next one call again, so the key goes along.
 */
public interface PaymentProvider {

    /**
     * Charges an account. Blocks until the provider has answered.
     *
     * @param key under which the provider recognises a repeated call
     * @return the provider's reference, the same for the same key
     */
    String charge(IdempotencyKey key, String account, long amount, String currency);

    /** The same in the other direction. */
    String payOut(IdempotencyKey key, String account, long amount, String currency);
}
