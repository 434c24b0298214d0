/** What applications set and catch of the Kafka side. */
@NullMarked
package io.idem.consumer.kafka;

import org.jspecify.annotations.NullMarked;
