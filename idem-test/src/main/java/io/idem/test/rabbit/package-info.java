/** Messages for {@code @RabbitListener} methods, with and without RabbitMQ. */
@NullMarked
package io.idem.test.rabbit;

import org.jspecify.annotations.NullMarked;
