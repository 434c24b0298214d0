/**
 * A record of Kafka, and how it is settled: start with {@code KafkaDecisionSettler}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.kafka.message;

import org.jspecify.annotations.NullMarked;
