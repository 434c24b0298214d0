/**
 * Dead letters on Kafka: {@link io.idem.consumer.kafka.deadletter.KafkaDeadLetterWriter} publishes them, and
 * {@link io.idem.consumer.kafka.deadletter.KafkaDeadLetterSource} finds them for operators.
 */
@NullMarked
package io.idem.consumer.kafka.deadletter;

import org.jspecify.annotations.NullMarked;
