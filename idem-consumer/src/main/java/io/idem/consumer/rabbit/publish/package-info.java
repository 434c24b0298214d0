/** Publishing to RabbitMQ with the idempotency key of the work that publishes. */
@NullMarked
package io.idem.consumer.rabbit.publish;

import org.jspecify.annotations.NullMarked;
