package io.idem.demo.provider;

/**
 * Published when a call has reached the provider, before it acts.
 *
 * @param key of the call
 */
public record ProviderCalled(String key) {}
