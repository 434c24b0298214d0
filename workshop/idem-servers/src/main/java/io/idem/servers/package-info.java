/**
 * Servers for the demo and the tests: Redis, an AMQP broker, Kafka, PostgreSQL, MariaDB and MySQL.
 *
 * <p>All kinds have the same order of choice: an address given by the environment, a container if a Docker engine
 * answers, a server installed on the machine, the embedded one. Linux and macOS only. Not published.
 */
@NullMarked
package io.idem.servers;

import org.jspecify.annotations.NullMarked;
