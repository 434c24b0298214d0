/**
 * Dead letters on RabbitMQ: {@link io.idem.consumer.rabbit.deadletter.RabbitDeadLetterSource} finds them for operators.
 */
@NullMarked
package io.idem.consumer.rabbit.deadletter;

import org.jspecify.annotations.NullMarked;
