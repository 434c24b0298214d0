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
 *     {@value #DEFAULT_REQUEST_QUEUE_SIZE}; with replication at least {@value #LEAST_QUEUE_WITH_REPLICATION}
 * @param guards what to do about a server that keeps records less safely than it could; default {@link ServerGuards#DEFAULTS}
 * @param namespace first part of every key's name; matches {@value #NAMESPACE_SYNTAX}; default {@value #DEFAULT_NAMESPACE}
 * @param replication how far grants and outcomes must have spread; default {@link ReplicationSettings#NONE}
 */
public record RedisSettings(
        RedisTopology topology,
        SslOptions ssl,
        Duration commandTimeout,
        int requestQueueSize,
        ServerGuards guards,
        String namespace,
        ReplicationSettings replication) {

    /** Long for a server next door, short beside a lease. */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(1);

    /** More than the threads of an application, less than its memory. */
    public static final int DEFAULT_REQUEST_QUEUE_SIZE = 4096;

    /** What one write and the questions for its confirmation take: Lettuce refuses what is sent together if it does not fit as a whole. */
    public static final int LEAST_QUEUE_WITH_REPLICATION = 4;

    /** What keys begin with unless an application wants records of its own. */
    public static final String DEFAULT_NAMESPACE = "idem";

    /** The characters of a namespace; braces would decide which cluster slot a record is in. */
    public static final String NAMESPACE_SYNTAX = "[A-Za-z0-9][A-Za-z0-9._:-]{0,63}";

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
        if (replication.isOn() && requestQueueSize < LEAST_QUEUE_WITH_REPLICATION) {
            throw new IllegalArgumentException("requestQueueSize " + requestQueueSize + " is less than "
                    + LEAST_QUEUE_WITH_REPLICATION + ", which a write and the questions for its confirmation take");
        }
        if (!namespace.matches(NAMESPACE_SYNTAX)) {
            throw new IllegalArgumentException(
                    "namespace \"" + namespace + "\" does not match " + NAMESPACE_SYNTAX + ", for example \"idem\"");
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
                ServerGuards.DEFAULTS,
                DEFAULT_NAMESPACE,
                ReplicationSettings.NONE);
    }

    /** The same with another timeout. */
    public RedisSettings withCommandTimeout(Duration timeout) {
        return new RedisSettings(topology, ssl, timeout, requestQueueSize, guards, namespace, replication);
    }

    /** The same with other guards. */
    public RedisSettings withGuards(ServerGuards other) {
        return new RedisSettings(topology, ssl, commandTimeout, requestQueueSize, other, namespace, replication);
    }

    /** The same with keys that begin otherwise. */
    public RedisSettings withNamespace(String other) {
        return new RedisSettings(topology, ssl, commandTimeout, requestQueueSize, guards, other, replication);
    }

    /** The same with another demand on replicas. */
    public RedisSettings withReplication(ReplicationSettings other) {
        return new RedisSettings(topology, ssl, commandTimeout, requestQueueSize, guards, namespace, other);
    }
}
