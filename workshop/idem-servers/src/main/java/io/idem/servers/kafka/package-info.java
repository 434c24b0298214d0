/** A single-node Kafka in KRaft mode in a JVM of its own. */
@NullMarked
package io.idem.servers.kafka;

import org.jspecify.annotations.NullMarked;
