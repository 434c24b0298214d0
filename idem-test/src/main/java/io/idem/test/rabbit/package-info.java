/**
 * Messages for {@code @RabbitListener} methods, with and without RabbitMQ. Open
 * {@link io.idem.test.rabbit.RabbitDeliveries} first.
 */
@NullMarked
package io.idem.test.rabbit;

import org.jspecify.annotations.NullMarked;
