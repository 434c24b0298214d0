package io.idem.autoconfigure;

import io.idem.redis.RedisTopology;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;

/** Where Redis is, from whichever settings the application has. */
record RedisAddress(RedisTopology topology, SslOptions ssl) {

    /** Shown by {@code CLIENT LIST}. */
    private static final String CLIENT_NAME = "idem";

    RedisAddress {
        topology.uris().forEach(uri -> uri.setClientName(CLIENT_NAME));
    }

    /**
     * A Redis given as {@code redis://user:password@host:port/database}, or {@code rediss://} for TLS; Sentinels as {@code
     * redis-sentinel://password@host:port,host:port/database#master}.
     */
    static RedisAddress ofUrl(String property, String url) {
        try {
            return new RedisAddress(RedisTopology.of(RedisURI.create(url)), SslOptions.create());
        } catch (IllegalArgumentException invalid) {
            throw new InvalidSettingException(
                    property, "is not a Redis URL such as redis://user:password@localhost:6379/0");
        }
    }
}
