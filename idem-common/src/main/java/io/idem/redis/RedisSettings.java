package io.idem.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.time.Duration;

/**
 * How to speak to Redis.
 *
 * @param topology where it is: one server, a master found through Sentinels, or a cluster
 * @param ssl used if the addresses ask for TLS
 * @param commandTimeout how long one command or connect may take; default {@link #DEFAULT_COMMAND_TIMEOUT}; keep it below a
 *     sixth of the lease
 * @param requestQueueSize commands that may wait for an answer before further ones are refused; default
 *     {@value #DEFAULT_REQUEST_QUEUE_SIZE}
 * @param evictionPolicyCheck what to do about a server that may evict records; default {@link EvictionPolicyCheck#FAIL}
 */
public record RedisSettings(
        RedisTopology topology,
        SslOptions ssl,
        Duration commandTimeout,
        int requestQueueSize,
        EvictionPolicyCheck evictionPolicyCheck) {

    /** Long for a server next door, short beside a lease. */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(1);

    /** More than the threads of an application, less than its memory. */
    public static final int DEFAULT_REQUEST_QUEUE_SIZE = 4096;

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException names the value and what it must be
     */
    public RedisSettings {
        if (commandTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("commandTimeout " + commandTimeout + " is shorter than a millisecond");
        }
        if (requestQueueSize < 1) {
            throw new IllegalArgumentException("requestQueueSize " + requestQueueSize + " is less than 1");
        }
    }

    /** The defaults, for the server or the Sentinels that an address names. */
    public static RedisSettings of(RedisURI uri) {
        return of(RedisTopology.of(uri));
    }

    /** The defaults. */
    public static RedisSettings of(RedisTopology topology) {
        return new RedisSettings(
                topology,
                SslOptions.create(),
                DEFAULT_COMMAND_TIMEOUT,
                DEFAULT_REQUEST_QUEUE_SIZE,
                EvictionPolicyCheck.FAIL);
    }

    /** The same with another timeout. */
    public RedisSettings withCommandTimeout(Duration timeout) {
        return new RedisSettings(topology, ssl, timeout, requestQueueSize, evictionPolicyCheck);
    }

    /** The same with another answer to eviction. */
    public RedisSettings withEvictionPolicyCheck(EvictionPolicyCheck check) {
        return new RedisSettings(topology, ssl, commandTimeout, requestQueueSize, check);
    }
}
