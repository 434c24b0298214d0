/** Settings and exceptions of the Kafka transport for applications: start with {@code KafkaSettings}. */
@NullMarked
package io.idem.consumer.kafka;

import org.jspecify.annotations.NullMarked;
