/** Apache Qpid Broker-J as an AMQP 0-9-1 broker in a JVM of its own, and its dialect. */
@NullMarked
package io.idem.servers.qpid;

import org.jspecify.annotations.NullMarked;
