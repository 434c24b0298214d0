/**
 * Batch listeners of RabbitMQ: start with {@code BatchDelivery}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.rabbit.batch;

import org.jspecify.annotations.NullMarked;
