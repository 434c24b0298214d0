/**
 * Publishing to RabbitMQ with the idempotency key of the work that publishes:
 * {@link io.idem.consumer.rabbit.publish.PropagatingRabbitTemplate}.
 */
@NullMarked
package io.idem.consumer.rabbit.publish;

import org.jspecify.annotations.NullMarked;
