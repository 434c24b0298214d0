/**
 * A message of RabbitMQ, and how it is settled: start with {@code RabbitDecisionSettler}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.rabbit.message;

import org.jspecify.annotations.NullMarked;
