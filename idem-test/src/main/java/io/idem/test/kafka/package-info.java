/** Records for {@code @KafkaListener} methods, with and without Kafka. */
@NullMarked
package io.idem.test.kafka;

import org.jspecify.annotations.NullMarked;
