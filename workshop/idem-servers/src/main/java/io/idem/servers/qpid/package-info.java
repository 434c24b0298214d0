/** Apache Qpid Broker-J as an AMQP 0-9-1 broker in its own JVM, and the translation of queue arguments. */
@NullMarked
package io.idem.servers.qpid;

import org.jspecify.annotations.NullMarked;
