/**
 * Records for {@code @KafkaListener} methods, with and without Kafka. Open {@link io.idem.test.kafka.KafkaDeliveries}
 * first.
 */
@NullMarked
package io.idem.test.kafka;

import org.jspecify.annotations.NullMarked;
