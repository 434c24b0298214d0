/**
 * Deferred messages of RabbitMQ, by delay queues or by waiting in place: start with {@code Deferrals}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.rabbit.defer;

import org.jspecify.annotations.NullMarked;
