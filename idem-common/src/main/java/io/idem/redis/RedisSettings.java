package io.idem.redis;

import static io.idem.internal.value.Arguments.require;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.time.Duration;

/**
 * The settings of a connection to Redis. Immutable; start with {@link #of} and refine.
 *
 * @param topology the servers: one, a master found through Sentinels, or a cluster
 * @param ssl the TLS options, used if the addresses ask for TLS
 * @param commandTimeout the longest time for one command or connect; default {@link #DEFAULT_COMMAND_TIMEOUT}; keep it
 *     below a sixth of the lease
 * @param requestQueueSize the number of commands that may wait for an answer before further ones are refused; default
 *     {@value #DEFAULT_REQUEST_QUEUE_SIZE}; with replication at least {@value #LEAST_QUEUE_WITH_REPLICATION}
 * @param guards the reactions to a server that may lose records; default {@link ServerGuards#DEFAULTS}
 * @param namespace the first part of every key's name; matches {@value #NAMESPACE_SYNTAX}; default
 *     {@value #DEFAULT_NAMESPACE}
 * @param replication the confirmations that grants and outcomes need; default {@link ReplicationSettings#NONE}
 */
public record RedisSettings(
        RedisTopology topology,
        SslOptions ssl,
        Duration commandTimeout,
        int requestQueueSize,
        ServerGuards guards,
        String namespace,
        ReplicationSettings replication) {

    /** The default timeout of one second: long for a nearby server, short beside a lease. */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(1);

    /** The default size of the queue: more than the threads of an application, less than its memory allows. */
    public static final int DEFAULT_REQUEST_QUEUE_SIZE = 4096;

    /**
     * The smallest queue with replication: one write and the questions for its confirmation. Lettuce refuses a flush
     * that does not fit as a whole.
     */
    public static final int LEAST_QUEUE_WITH_REPLICATION = 4;

    /** The default namespace. */
    public static final String DEFAULT_NAMESPACE = "idem";

    /** The syntax of a namespace. Braces are excluded because they would decide the cluster slot of a record. */
    public static final String NAMESPACE_SYNTAX = "[A-Za-z0-9][A-Za-z0-9._:-]{0,63}";

    /**
     * Creates the settings and checks their bounds.
     *
     * @throws IllegalArgumentException if a value is out of bounds; the message names the value
     */
    public RedisSettings {
        require(commandTimeout.toMillis() >= 1, "commandTimeout " + commandTimeout + " is shorter than a millisecond");
        require(requestQueueSize >= 1, "requestQueueSize " + requestQueueSize + " is less than 1");
        require(
                !replication.isOn() || requestQueueSize >= LEAST_QUEUE_WITH_REPLICATION,
                "requestQueueSize " + requestQueueSize + " is less than " + LEAST_QUEUE_WITH_REPLICATION
                        + ", which a write and the questions for its confirmation take");
        require(
                namespace.matches(NAMESPACE_SYNTAX),
                "namespace \"" + namespace + "\" does not match " + NAMESPACE_SYNTAX + ", for example \"idem\"");
    }

    /** Returns the default settings for the server or the Sentinels that an address names. */
    public static RedisSettings of(RedisURI uri) {
        return of(RedisTopology.of(uri));
    }

    /** Returns the default settings for a topology. */
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

    /** Returns a copy with another timeout. */
    public RedisSettings withCommandTimeout(Duration timeout) {
        return new RedisSettings(topology, ssl, timeout, requestQueueSize, guards, namespace, replication);
    }

    /** Returns a copy with other guards. */
    public RedisSettings withGuards(ServerGuards other) {
        return new RedisSettings(topology, ssl, commandTimeout, requestQueueSize, other, namespace, replication);
    }

    /** Returns a copy with another namespace. */
    public RedisSettings withNamespace(String other) {
        return new RedisSettings(topology, ssl, commandTimeout, requestQueueSize, guards, other, replication);
    }

    /** Returns a copy that needs other confirmations. */
    public RedisSettings withReplication(ReplicationSettings other) {
        return new RedisSettings(topology, ssl, commandTimeout, requestQueueSize, guards, namespace, other);
    }
}
