package io.idem.demo.provider;

/**
 * An external system that moves money. Called at least once: if a consumer dies in the call, the next owner calls
 * again. The key is therefore part of the call.
 */
public interface PaymentProvider {

    /**
     * Charges an account. Blocks until the provider has answered.
     *
     * @param key under which the provider recognises a repeated call
     * @return the provider's reference, the same for the same key
     */
    String charge(String key, String account, long amount, String currency);

    /** Pays out to an account. */
    String payOut(String key, String account, long amount, String currency);
}
