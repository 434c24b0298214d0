/**
 * Messages that idem itself publishes to RabbitMQ: start with {@code ConfirmedChannels}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.rabbit.send;

import org.jspecify.annotations.NullMarked;
