/**
 * Kafka: the delivery hook around {@code @KafkaListener} containers, and producers that carry keys on.
 *
 * <p>The hook is a decorator of the container's listener, put in place for each {@link io.idem.consumer.IdempotentListener}
 * by itself; "not now" is an exception that only the hook's own error handler sees.
 */
@NullMarked
package io.idem.consumer.kafka;

import org.jspecify.annotations.NullMarked;
