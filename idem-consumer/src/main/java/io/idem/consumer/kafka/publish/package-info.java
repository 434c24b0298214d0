/**
 * Publishing to Kafka with the idempotency key of the work that publishes:
 * {@link io.idem.consumer.kafka.publish.PropagatingKafkaTemplate}.
 */
@NullMarked
package io.idem.consumer.kafka.publish;

import org.jspecify.annotations.NullMarked;
