/** A single-node Kafka in KRaft mode in its own JVM. */
@NullMarked
package io.idem.servers.kafka;

import org.jspecify.annotations.NullMarked;
