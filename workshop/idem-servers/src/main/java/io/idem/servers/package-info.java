/**
 * Where the demo and the tests get Redis, an AMQP broker, Kafka and PostgreSQL from.
 *
 * <p>One order of choice for all of them: an address given by the environment, a container when a Docker engine
 * answers, a server installed on the machine, the embedded one. Linux and macOS only. Not published.
 */
@NullMarked
package io.idem.servers;

import org.jspecify.annotations.NullMarked;
