package io.idem.autoconfigure;

import io.idem.redis.RedisTopology;
import io.lettuce.core.RedisURI;
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

    /**
     * Returns the address given as {@code redis://user:password@host:port/database}, or {@code rediss://} for TLS;
     * Sentinels as {@code redis-sentinel://password@host:port,host:port/database#master}.
     */
    static RedisAddress ofUrl(String property, String url, SslOptions ssl) {
        try {
            return new RedisAddress(RedisTopology.of(parsed(property, url)), ssl);
        } catch (IllegalArgumentException unreachable) {
            throw new InvalidSettingException(property, String.valueOf(unreachable.getMessage()));
        }
    }

    /** Parses the address. Error messages do not repeat it, because it may contain a password. */
    private static RedisURI parsed(String property, String url) {
        try {
            return RedisURI.create(url);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidSettingException(
                    property,
                    "is not a Redis URL such as redis://user:password@localhost:6379/0, rediss:// for TLS, or"
                            + " redis-socket:///run/redis.sock for a Unix socket");
        }
    }
}
