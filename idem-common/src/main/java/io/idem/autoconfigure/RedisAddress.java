package io.idem.autoconfigure;

import io.idem.internal.spring.InvalidSettingException;
import io.idem.redis.RedisTopology;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.SslOptions;
import org.jspecify.annotations.Nullable;

/** The address of Redis, from whichever settings the application has. */
record RedisAddress(RedisTopology topology, SslOptions ssl) {

    /** The name that {@code CLIENT LIST} shows. */
    private static final String CLIENT_NAME = "idem";

    /** Names idem's connections after those of the application, if those have a name. */
    void nameClient(@Nullable String application) {
        String name = application == null ? CLIENT_NAME : application + "-" + CLIENT_NAME;
        topology.uris().forEach(uri -> uri.setClientName(name));
    }

    /** Asks a provider at each connect, as of tokens that expire, unless the settings name a password. */
    RedisAddress authenticatedBy(@Nullable RedisCredentialsProvider provider) {
        if (provider == null) {
            return this;
        }
        topology.uris().stream()
                .filter(uri -> uri.getCredentialsProvider()
                        .resolveCredentials()
                        .filter(RedisCredentials::hasPassword)
                        .blockOptional()
                        .isEmpty())
                .forEach(uri -> uri.setCredentialsProvider(provider));
        return this;
    }

    /** Returns the address given as a URL. */
    static RedisAddress ofUrl(String property, String url, SslOptions ssl) {
        return InvalidSettingException.named(value -> property, () -> new RedisAddress(RedisTopology.of(url), ssl));
    }
}
