/**
 * Headers and publisher confirms of what is published to RabbitMQ: start with {@code RabbitHeaders}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.rabbit.publish;

import org.jspecify.annotations.NullMarked;
